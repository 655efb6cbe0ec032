import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'

import { DEFAULT_RETAILER_SYNC_FREQUENCY } from '../../../shared/constants'
import { inviteRetailerInput, type NewInvitation } from '../../../shared/schemas/invitation'
import type { VisibilitySettings } from '../../../shared/schemas/retailer'
import { InviteDialog, type InviteDialogProps } from '../../components/dialog/invite-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { InviteeFields } from '../../components/form/invitee-fields'
import { ValidatedForm } from '../../components/form/validated-form'
import { findEmailProblem, inviteLabel, toEmail, type Invitee } from '../../lib/invitee'
import { showFailure } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { useProductUrl } from '../../session/product-url'
import { trpc } from '../../trpc'
import { GroupField } from './group-field'
import { InvitedFormatFields, type InvitedFormat } from './invited-format'
import { useNoProductsWarning } from './no-products-warning'
import { RetailerFrequency } from './retailer-frequency'
import { useFileCategories } from './use-file-categories'
import { VisibilityFields } from './visibility-fields'

export function InviteRetailerDialog({ hasMail, ...props }: InviteDialogProps) {
  return (
    <InviteDialog {...props} title="Invite a retailer" toUrl={useProductUrl()}>
      {(onInvited) => <InviteRetailerForm hasMail={hasMail} onInvited={onInvited} />}
    </InviteDialog>
  )
}

interface Values extends Invitee {
  storeName: string
  syncFrequency: number
  visibilitySettings: VisibilitySettings
  profile: InvitedFormat
  groupId: number | null
}

function toInput({ way, email, profile, groupId, storeName, ...settings }: Values) {
  const invited = { storeName, email: toEmail({ way, email }) }
  // What else was chosen before the group does not count.
  if (groupId !== null) return { ...invited, groupId }
  return { ...invited, ...settings, ...(profile.kind !== 'asIs' && { profile }) }
}
const findProblems = schemaResolver(inviteRetailerInput, { sync: true })

interface InviteRetailerFormProps {
  hasMail: boolean
  onInvited: (made: NewInvitation) => void
}

function InviteRetailerForm({ hasMail, onInvited }: InviteRetailerFormProps) {
  const form = useForm<Values>({
    initialValues: {
      way: hasMail ? 'mail' : 'link',
      email: '',
      storeName: '',
      syncFrequency: DEFAULT_RETAILER_SYNC_FREQUENCY,
      visibilitySettings: { allProducts: true, categories: [] },
      profile: { kind: 'asIs', location: '' },
      groupId: null,
    },
    validate: (values) => ({ ...findProblems(toInput(values)), ...findEmailProblem(values) }),
  })
  const file = useFileCategories()
  const utils = trpc.useUtils()
  const invite = trpc.invitations.inviteRetailer.useMutation({
    onSuccess: (made) => {
      onInvited(made)
      void utils.invitations.invalidate()
    },
    onError: (error) => showFailure(error, 'The invitation could not be made'),
  })
  useFieldErrors(form, invite.error)
  const send = (values: Values) => invite.mutate(toInput(values))
  const { submit, warning } = useNoProductsWarning(file, 'This retailer', send)
  return (
    <ValidatedForm form={form} onSubmit={form.values.groupId === null ? submit : send}>
      <TextInput label="Store Name" autoComplete="off" {...form.getInputProps('storeName')} />
      <InviteeFields form={form} hasMail={hasMail} />
      <GroupField
        groupId={form.values.groupId}
        onChange={(groupId) => form.setFieldValue('groupId', groupId)}
      />
      {form.values.groupId === null && (
        <>
          <RetailerFrequency
            {...form.getInputProps('syncFrequency')}
            value={form.values.syncFrequency}
          />
          <InvitedFormatFields form={form} />
          <VisibilityFields
            file={file}
            {...form.getInputProps('visibilitySettings')}
            value={form.values.visibilitySettings}
          />
        </>
      )}
      <FormFooter submitLabel={inviteLabel(form.values)} isPending={invite.isPending} />
      {warning}
    </ValidatedForm>
  )
}
