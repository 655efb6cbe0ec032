import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { addRetailerFormSchema, type AddRetailerForm } from '../../../shared/schemas/retailer'
import { FormDialog } from '../../components/dialog/form-dialog'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { GeneratedPasswordInput } from '../../components/form/generated-password-input'
import { UsernameInput } from '../../components/form/login-fields'
import { ValidatedForm } from '../../components/form/validated-form'
import { showFieldErrors } from '../../lib/form-errors'
import { showFailure, showSuccess } from '../../lib/toast'
import { useSignedInUser } from '../../session/current-user'
import { usePasswordRules } from '../../session/password-rules'
import { trpc } from '../../trpc'
import { GroupField } from './group-field'
import { InvitationNote } from './invitation-note'
import type { NewLogin } from './invitation-text'

export function AddRetailerDialog({ isOpen, onClose }: DialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Add New Retailer">
      <AddRetailer onClose={onClose} />
    </FormDialog>
  )
}

/**
 * Creates the login, then the retailer's record (docs/rules.md#retailers). If the second call
 * fails, the login is kept, and submitting the same username again reuses it.
 */
function useAddRetailer() {
  const supplier = useSignedInUser()
  const register = trpc.session.register.useMutation()
  const create = trpc.retailers.create.useMutation()
  return useMutation({
    mutationFn: async ({ groupId, ...form }: AddRetailerForm & { groupId: number | null }) => {
      const { username, password, contactEmail, storeName } = form
      const user = await register.mutateAsync({
        username,
        password,
        contactEmail,
        role: 'RETAILER',
        companyName: storeName,
      })
      return create.mutateAsync({
        userId: user.id,
        supplierId: supplier.id,
        storeName,
        storeUrl: '',
        visibilitySettings: { allProducts: true, categories: [] },
        ...(groupId !== null && { groupId }),
      })
    },
  })
}

/** The form. After a generated password, also the invitation, without which nobody knows it. */
function AddRetailer({ onClose }: { onClose: () => void }) {
  const [login, setLogin] = useState<NewLogin>()
  return login ? (
    <InvitationNote login={login} onClose={onClose} />
  ) : (
    <AddRetailerFields onClose={onClose} onInvite={setLogin} />
  )
}

interface AddRetailerFieldsProps {
  onClose: () => void
  onInvite: (login: NewLogin) => void
}

function AddRetailerFields({ onClose, onInvite }: AddRetailerFieldsProps) {
  const [generated, setGenerated] = useState<string>()
  const [groupId, setGroupId] = useState<number | null>(null)
  const utils = trpc.useUtils()
  const form = useForm<AddRetailerForm>({
    initialValues: { username: '', password: '', contactEmail: '', storeName: '' },
    validate: schemaResolver(addRetailerFormSchema, { sync: true }),
  })
  const add = useAddRetailer()
  const submit = (values: AddRetailerForm) =>
    add.mutate(
      { ...addRetailerFormSchema.parse(values), groupId },
      {
        onSuccess: () => {
          showSuccess('Retailer added successfully')
          if (values.password === generated) onInvite(values)
          else onClose()
          void utils.retailers.invalidate()
          void utils.groups.invalidate()
        },
        onError: (error) => {
          showFailure(error)
          showFieldErrors(form, error)
        },
      },
    )
  return (
    <ValidatedForm form={form} onSubmit={submit}>
      <UsernameInput autoComplete="off" {...form.getInputProps('username')} />
      <GeneratedPasswordInput
        {...usePasswordRules(form.values.username, form.values.storeName)}
        {...form.getInputProps('password')}
        onGenerate={(password) => {
          setGenerated(password)
          form.setFieldValue('password', password)
        }}
      />
      <TextInput
        label="Email"
        type="email"
        autoComplete="off"
        {...form.getInputProps('contactEmail')}
      />
      <TextInput label="Store Name" autoComplete="off" {...form.getInputProps('storeName')} />
      <GroupField groupId={groupId} onChange={setGroupId} />
      <FormFooter submitLabel="Create Retailer" isPending={add.isPending} />
    </ValidatedForm>
  )
}
