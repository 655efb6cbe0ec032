import { schemaResolver, useForm } from '@mantine/form'

import { changePasswordFormSchema, type ChangePasswordForm } from '../../shared/schemas/user'
import { FormDialog } from '../components/form-dialog'
import { FormFooter } from '../components/form-footer'
import { PasswordInput } from '../components/login-fields'
import { ValidatedForm } from '../components/validated-form'
import { errorMessage } from '../lib/error-message'
import { showFieldErrors } from '../lib/form-errors'
import { showError, showSuccess } from '../lib/toast'
import { trpc } from '../trpc'

interface ChangePasswordDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** Changes the user's own password; used by all roles. */
export function ChangePasswordDialog({ isOpen, onClose }: ChangePasswordDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Reset Admin Password">
      <ChangePasswordForm onClose={onClose} />
    </FormDialog>
  )
}

function ChangePasswordForm({ onClose }: { onClose: () => void }) {
  const form = useForm<ChangePasswordForm>({
    initialValues: { currentPassword: '', newPassword: '', confirmPassword: '' },
    validate: schemaResolver(changePasswordFormSchema, { sync: true }),
  })
  const change = trpc.session.changePassword.useMutation({
    onSuccess: () => {
      showSuccess('Password updated successfully')
      onClose()
    },
    onError: (error) => {
      showError(errorMessage(error))
      showFieldErrors(form, error)
    },
  })
  return (
    <ValidatedForm
      form={form}
      onSubmit={({ currentPassword, newPassword }) =>
        change.mutate({ currentPassword, newPassword })
      }
    >
      <PasswordInput
        label="Current Password"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('currentPassword')}
      />
      <PasswordInput
        label="New Password"
        autoComplete="new-password"
        {...form.getInputProps('newPassword')}
      />
      <PasswordInput
        label="Confirm New Password"
        autoComplete="new-password"
        {...form.getInputProps('confirmPassword')}
      />
      <FormFooter submitLabel="Change Password" isPending={change.isPending} />
    </ValidatedForm>
  )
}
