import { Divider, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useEffect, useState } from 'react'
import { z } from 'zod'

import { newPasswordSchema } from '../../../shared/schemas/primitives'
import { storeDetailsFormSchema, type ListedRetailer } from '../../../shared/schemas/retailer'
import { FormDialog } from '../../components/dialog/form-dialog'
import { EndFeedAddresses } from '../../components/form/end-feed-addresses'
import { FormFooter } from '../../components/form/form-footer'
import { GeneratedPasswordInput } from '../../components/form/generated-password-input'
import { FixedUsername } from '../../components/form/login-fields'
import { ValidatedForm } from '../../components/form/validated-form'
import { errorMessage } from '../../lib/error-message'
import { showFieldErrors } from '../../lib/form-errors'
import { showError, showFailure, showSuccess } from '../../lib/toast'
import { usePasswordRules } from '../../session/password-rules'
import { trpc } from '../../trpc'
import { InvitationNote } from './invitation-note'
import type { NewLogin } from './invitation-text'
import { useOptimisticRetailers } from './use-optimistic-retailers'

interface EditRetailerDialogProps {
  isOpen: boolean
  retailer: ListedRetailer | null
  onClose: () => void
}

const editRetailerSchema = storeDetailsFormSchema.extend({
  /** An empty value keeps the password. */
  newPassword: z.union([z.literal(''), newPasswordSchema]),
  endsFeedAddresses: z.boolean(),
})
type EditRetailerValues = z.infer<typeof editRetailerSchema>

export function EditRetailerDialog({ isOpen, retailer, onClose }: EditRetailerDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Edit Retailer">
      <EditRetailer retailer={retailer} onClose={onClose} />
    </FormDialog>
  )
}

/** Saves the store's details, then the password if one was entered. */
function useSaveRetailer() {
  const list = useOptimisticRetailers()
  const { feedAddresses } = trpc.useUtils()
  const resetPassword = trpc.users.resetPassword.useMutation({
    onSuccess: () => showSuccess('Password updated successfully'),
    onError: (error) =>
      showError(`Password reset failed: ${errorMessage(error, 'Failed to reset password')}`),
  })
  const update = trpc.retailers.updateBasicInfo.useMutation({
    onMutate: ({ id, storeName, storeUrl }) =>
      list.apply(id, (row) => ({ ...row, storeName, storeUrl: storeUrl ?? null })),
    onError: (error, _input, restore) => {
      restore?.()
      showFailure(error)
    },
    onSettled: () => list.refresh(),
  })
  async function save({ id, userId }: ListedRetailer, values: EditRetailerValues) {
    const { newPassword, endsFeedAddresses, ...details } = values
    await update.mutateAsync({ id, ...details })
    showSuccess('Retailer updated')
    if (!newPassword) return
    await resetPassword.mutateAsync({
      userId,
      newPassword,
      ...(endsFeedAddresses && { endsFeedAddresses }),
    })
    void feedAddresses.list.invalidate()
  }
  return { save, isPending: update.isPending || resetPassword.isPending }
}

/** The form. After a generated password, also the invitation, without which nobody knows it. */
function EditRetailer({ retailer, onClose }: Omit<EditRetailerDialogProps, 'isOpen'>) {
  const [login, setLogin] = useState<NewLogin>()
  return login ? (
    <InvitationNote login={login} onClose={onClose} />
  ) : (
    <EditRetailerForm retailer={retailer} onClose={onClose} onInvite={setLogin} />
  )
}

interface EditRetailerFormProps extends Omit<EditRetailerDialogProps, 'isOpen'> {
  onInvite: (login: NewLogin) => void
}

function EditRetailerForm({ retailer, onClose, onInvite }: EditRetailerFormProps) {
  const [generated, setGenerated] = useState<string>()
  const form = useForm<EditRetailerValues>({
    initialValues: startValues(retailer),
    validate: schemaResolver(editRetailerSchema, { sync: true }),
  })
  const { save, isPending } = useSaveRetailer()

  async function submit(values: EditRetailerValues) {
    if (!retailer) {
      showError('No retailer selected')
      return
    }
    try {
      const saved = editRetailerSchema.parse(values)
      await save(retailer, saved)
      const { storeName, newPassword: password } = saved
      if (password && password === generated) {
        onInvite({ storeName, username: retailer.username, password })
      } else onClose()
    } catch (error) {
      showFieldErrors(form, error)
    }
  }

  return (
    <ValidatedForm form={form} onSubmit={(values) => void submit(values)}>
      <UsernameField userId={retailer?.userId} />
      <TextInput label="Store Name" {...form.getInputProps('storeName')} />
      <TextInput
        label="Store URL"
        description="Optional"
        inputMode="url"
        placeholder="shop.example"
        {...form.getInputProps('storeUrl')}
      />
      <Divider />
      <GeneratedPasswordInput
        {...usePasswordRules(form.values.storeName)}
        label="Reset Password"
        description="Leave empty to keep the current password"
        {...form.getInputProps('newPassword')}
        onGenerate={(password) => {
          setGenerated(password)
          form.setFieldValue('newPassword', password)
        }}
      />
      {form.values.newPassword !== '' && (
        <EndFeedAddresses
          label="End the retailer’s feed addresses"
          {...form.getInputProps('endsFeedAddresses', { type: 'checkbox' })}
        />
      )}
      <FormFooter submitLabel="Save" isPending={isPending} />
    </ValidatedForm>
  )
}

const startValues = (retailer: ListedRetailer | null): EditRetailerValues => ({
  storeName: retailer?.storeName ?? '',
  storeUrl: retailer?.storeUrl ?? '',
  newPassword: '',
  endsFeedAddresses: false,
})

function UsernameField({ userId }: { userId: number | undefined }) {
  const query = trpc.users.username.useQuery({ userId: userId ?? 0 }, { enabled: !!userId })
  useEffect(() => {
    if (query.isError) showError('Failed to fetch user data')
  }, [query.isError])
  return (
    <FixedUsername
      username={query.data?.username ?? (query.isError ? 'Username not available' : 'Loading…')}
    />
  )
}
