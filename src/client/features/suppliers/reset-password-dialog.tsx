import { Text } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { z } from 'zod'

import { newPasswordSchema } from '../../../shared/schemas/primitives'
import type { User } from '../../../shared/schemas/user'
import { FormDialog } from '../../components/form-dialog'
import { FormFooter } from '../../components/form-footer'
import { FixedUsername, NewPasswordInput } from '../../components/login-fields'
import { ValidatedForm } from '../../components/validated-form'
import { errorMessage } from '../../lib/error-message'
import { showFieldErrors } from '../../lib/form-errors'
import { showError, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

interface ResetPasswordDialogProps {
  isOpen: boolean
  supplier: Pick<User, 'id' | 'username'> | null
  onClose: () => void
}

/** Sets a supplier's password, which signs it out everywhere. */
export function ResetPasswordDialog({ isOpen, supplier, onClose }: ResetPasswordDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Reset Password">
      {supplier && <ResetPasswordForm supplier={supplier} onClose={onClose} />}
    </FormDialog>
  )
}

const formSchema = z.object({ newPassword: newPasswordSchema })

function ResetPasswordForm({
  supplier: { id: userId, username },
  onClose,
}: {
  supplier: Pick<User, 'id' | 'username'>
  onClose: () => void
}) {
  const form = useForm({
    initialValues: { newPassword: '' },
    validate: schemaResolver(formSchema, { sync: true }),
  })
  const reset = trpc.users.resetPassword.useMutation({
    onSuccess: () => {
      showSuccess('Password updated successfully')
      onClose()
    },
    onError: (error) => {
      showError(`Password reset failed: ${errorMessage(error, 'Failed to reset password')}`)
      showFieldErrors(form, error)
    },
  })
  return (
    <ValidatedForm
      form={form}
      onSubmit={({ newPassword }) => reset.mutate({ userId, newPassword })}
    >
      <FixedUsername username={username} />
      <NewPasswordInput
        label="New Password"
        data-autofocus
        {...form.getInputProps('newPassword')}
      />
      <Text size="sm" c="dimmed">
        The supplier is signed out everywhere and needs the new password to sign in.
      </Text>
      <FormFooter submitLabel="Reset Password" isPending={reset.isPending} />
    </ValidatedForm>
  )
}
