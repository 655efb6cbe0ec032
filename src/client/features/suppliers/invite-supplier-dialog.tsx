import { NumberInput, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'

import { DEFAULT_MAX_RETAILERS } from '../../../shared/constants'
import { inviteSupplierInput, type NewInvitation } from '../../../shared/schemas/invitation'
import { InviteDialog, type InviteDialogProps } from '../../components/dialog/invite-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { InviteeFields } from '../../components/form/invitee-fields'
import { ValidatedForm } from '../../components/form/validated-form'
import { findEmailProblem, inviteLabel, toEmail, type Invitee } from '../../lib/invitee'
import { showFailure } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { useProductUrl } from '../../session/product-url'
import { trpc } from '../../trpc'

export function InviteSupplierDialog({ hasMail, ...props }: InviteDialogProps) {
  return (
    <InviteDialog {...props} title="Invite a supplier" toUrl={useProductUrl()}>
      {(onInvited) => <InviteSupplierForm hasMail={hasMail} onInvited={onInvited} />}
    </InviteDialog>
  )
}

interface Values extends Invitee {
  companyName: string
  maxRetailers: number
}

const toInput = ({ way, email, ...company }: Values) => ({
  ...company,
  email: toEmail({ way, email }),
})
const findProblems = schemaResolver(inviteSupplierInput, { sync: true })

interface InviteSupplierFormProps {
  hasMail: boolean
  onInvited: (made: NewInvitation) => void
}

function InviteSupplierForm({ hasMail, onInvited }: InviteSupplierFormProps) {
  const form = useForm<Values>({
    initialValues: {
      way: hasMail ? 'mail' : 'link',
      email: '',
      companyName: '',
      maxRetailers: DEFAULT_MAX_RETAILERS,
    },
    validate: (values) => ({ ...findProblems(toInput(values)), ...findEmailProblem(values) }),
  })
  const utils = trpc.useUtils()
  const invite = trpc.invitations.inviteSupplier.useMutation({
    onSuccess: (made) => {
      onInvited(made)
      void utils.invitations.invalidate()
    },
    onError: (error) => showFailure(error, 'The invitation could not be made'),
  })
  useFieldErrors(form, invite.error)
  return (
    <ValidatedForm form={form} onSubmit={(values) => invite.mutate(toInput(values))}>
      <TextInput label="Company Name" autoComplete="off" {...form.getInputProps('companyName')} />
      <InviteeFields form={form} hasMail={hasMail} />
      <NumberInput
        label="Max Retailers"
        min={1}
        clampBehavior="none"
        allowDecimal={false}
        {...form.getInputProps('maxRetailers')}
      />
      <FormFooter submitLabel={inviteLabel(form.values)} isPending={invite.isPending} />
    </ValidatedForm>
  )
}
