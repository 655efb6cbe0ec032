import { Button, Group, Stack, Text } from '@mantine/core'
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
      <DialogBody onClose={onClose} />
    </FormDialog>
  )
}

function DialogBody({ onClose }: { onClose: () => void }) {
  const hasPassword = trpc.session.hasPassword.useQuery().data
  // The form is there while the answer is not, because nearly everybody has a password.
  return hasPassword === false ? (
    <NoPassword onClose={onClose} />
  ) : (
    <ChangePasswordForm onClose={onClose} />
  )
}

/** For accounts that Sign in with Google has created. */
function NoPassword({ onClose }: { onClose: () => void }) {
  return (
    <Stack gap="sm">
      <Text>You sign in with Google; this account has no password.</Text>
      <Text c="dimmed">
        To sign in with your username as well, ask the administrator to set a password. You can
        change it here from then on.
      </Text>
      <Group justify="flex-end" mt="sm">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
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
