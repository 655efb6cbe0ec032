import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'

import { addRetailerFormSchema, type AddRetailerForm } from '../../../shared/schemas/retailer'
import { FormDialog } from '../../components/form-dialog'
import { FormFooter } from '../../components/form-footer'
import { NewPasswordInput, UsernameInput } from '../../components/login-fields'
import { ValidatedForm } from '../../components/validated-form'
import { errorMessage } from '../../lib/error-message'
import { showFieldErrors } from '../../lib/form-errors'
import { showError, showSuccess } from '../../lib/toast'
import { useSignedInUser } from '../../session/current-user'
import { trpc } from '../../trpc'

interface AddRetailerDialogProps {
  isOpen: boolean
  onClose: () => void
}

export function AddRetailerDialog({ isOpen, onClose }: AddRetailerDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Add New Retailer">
      <AddRetailerFields onClose={onClose} />
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
    mutationFn: async ({ username, password, contactEmail, storeName }: AddRetailerForm) => {
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
      })
    },
  })
}

function AddRetailerFields({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils()
  const form = useForm<AddRetailerForm>({
    initialValues: { username: '', password: '', contactEmail: '', storeName: '' },
    validate: schemaResolver(addRetailerFormSchema, { sync: true }),
  })
  const add = useAddRetailer()
  const submit = (values: AddRetailerForm) =>
    add.mutate(addRetailerFormSchema.parse(values), {
      onSuccess: () => {
        showSuccess('Retailer added successfully')
        onClose()
        void utils.retailers.invalidate()
      },
      onError: (error) => {
        showError(errorMessage(error))
        showFieldErrors(form, error)
      },
    })
  return (
    <ValidatedForm form={form} onSubmit={submit}>
      <UsernameInput autoComplete="off" data-autofocus {...form.getInputProps('username')} />
      <NewPasswordInput {...form.getInputProps('password')} />
      <TextInput
        label="Email"
        type="email"
        autoComplete="off"
        {...form.getInputProps('contactEmail')}
      />
      <TextInput label="Store Name" autoComplete="off" {...form.getInputProps('storeName')} />
      <FormFooter submitLabel="Create Retailer" isPending={add.isPending} />
    </ValidatedForm>
  )
}
