import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'

import type { MemberRole } from '../../../shared/constants'
import type { Person } from '../../../shared/schemas/person'
import { FormDialog } from '../../components/dialog/form-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { displayNameOf } from '../../lib/display-name'
import { RoleFields } from './role-fields'
import type { CompanyKind } from './role-words'

interface ChangeRoleDialogProps {
  isOpen: boolean
  person: Person | null
  kind: CompanyKind
  isPending: boolean
  onChange: (role: MemberRole) => void
  onClose: () => void
}

export function ChangeRoleDialog({ isOpen, onClose, person, ...props }: ChangeRoleDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Change the role">
      {person && <RoleForm person={person} {...props} />}
    </FormDialog>
  )
}

interface RoleFormProps extends Omit<ChangeRoleDialogProps, 'isOpen' | 'onClose' | 'person'> {
  person: Person
}

function RoleForm({ person, kind, isPending, onChange }: RoleFormProps) {
  const form = useForm({ initialValues: { role: person.role } })
  const losesOwn = person.isSelf && person.role === 'OWNER' && form.values.role !== 'OWNER'
  return (
    <ValidatedForm form={form} onSubmit={({ role }) => onChange(role)}>
      <Stack gap="md">
        <Text style={{ overflowWrap: 'anywhere' }}>
          {person.isSelf ? (
            'Your own role counts from the next thing that you do.'
          ) : (
            <>
              The role of <bdi>{displayNameOf(person)}</bdi> counts at once, also where that person
              is signed in.
            </>
          )}
        </Text>
        <RoleFields
          kind={kind}
          value={form.values.role}
          onChange={(role) => form.setFieldValue('role', role)}
        />
        {losesOwn && (
          <Text component="output" fz="sm">
            You will not be able to change this back yourself: another owner can.
          </Text>
        )}
      </Stack>
      <FormFooter submitLabel="Change role" isPending={isPending} />
    </ValidatedForm>
  )
}
