import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'

import { MEMBER_ROLES_OF, type MemberRole } from '../../../shared/constants'
import { invitePersonInput, type NewInvitation } from '../../../shared/schemas/invitation'
import { InviteDialog, type InviteDialogProps } from '../../components/dialog/invite-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { InviteeFields } from '../../components/form/invitee-fields'
import { ValidatedForm } from '../../components/form/validated-form'
import { findEmailProblem, inviteLabel, toEmail, type Invitee } from '../../lib/invitee'
import { showFailure } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { useProductUrl } from '../../session/product-url'
import { trpc } from '../../trpc'
import { RoleFields } from './role-fields'
import type { CompanyKind } from './role-words'

interface InvitePersonDialogProps extends InviteDialogProps, Company {}

interface Company {
  kind: CompanyKind
  /** For administrators; otherwise it is the own one. */
  companyId: number | undefined
}

export function InvitePersonDialog(props: InvitePersonDialogProps) {
  const { hasMail, kind, companyId, ...frame } = props
  return (
    <InviteDialog {...frame} title="Invite a person" toUrl={useProductUrl()}>
      {(onInvited) => (
        <InvitePersonForm
          hasMail={hasMail}
          kind={kind}
          companyId={companyId}
          onInvited={onInvited}
        />
      )}
    </InviteDialog>
  )
}

interface Values extends Invitee {
  name: string
  role: MemberRole
}

const toInput = ({ way, email, ...person }: Values) => ({
  ...person,
  email: toEmail({ way, email }),
})
const findProblems = schemaResolver(invitePersonInput, { sync: true })

interface InvitePersonFormProps extends Company {
  hasMail: boolean
  onInvited: (made: NewInvitation) => void
}

function InvitePersonForm({ hasMail, kind, companyId, onInvited }: InvitePersonFormProps) {
  const form = useForm<Values>({
    initialValues: {
      way: hasMail ? 'mail' : 'link',
      email: '',
      name: '',
      // Of those besides owners, the one that may do most.
      role: MEMBER_ROLES_OF[kind][1] ?? 'OWNER',
    },
    validate: (values) => ({ ...findProblems(toInput(values)), ...findEmailProblem(values) }),
  })
  const utils = trpc.useUtils()
  const invite = trpc.invitations.invitePerson.useMutation({
    onSuccess: (made) => {
      onInvited(made)
      void utils.invitations.invalidate()
    },
    onError: (error) => showFailure(error, 'The invitation could not be made'),
  })
  useFieldErrors(form, invite.error)
  return (
    <ValidatedForm
      form={form}
      onSubmit={(values) => invite.mutate({ companyId, ...toInput(values) })}
    >
      <TextInput label="Name" autoComplete="off" {...form.getInputProps('name')} />
      <InviteeFields form={form} hasMail={hasMail} />
      <RoleFields
        kind={kind}
        value={form.values.role}
        onChange={(role) => form.setFieldValue('role', role)}
      />
      <FormFooter submitLabel={inviteLabel(form.values)} isPending={invite.isPending} />
    </ValidatedForm>
  )
}
