import { Text } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { z } from 'zod'

import { newPasswordSchema } from '../../../shared/schemas/primitives'
import type { User } from '../../../shared/schemas/user'
import { FormDialog } from '../../components/dialog/form-dialog'
import { EndFeedAddresses } from '../../components/form/end-feed-addresses'
import { FormFooter } from '../../components/form/form-footer'
import { FixedUsername } from '../../components/form/login-fields'
import { NewPasswordInput } from '../../components/form/new-password-input'
import { ValidatedForm } from '../../components/form/validated-form'
import { errorMessage } from '../../lib/error-message'
import { showFieldErrors } from '../../lib/form-errors'
import { showError, showSuccess } from '../../lib/toast'
import { usePasswordRules } from '../../session/password-rules'
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

const formSchema = z.object({ newPassword: newPasswordSchema, endsFeedAddresses: z.boolean() })

function ResetPasswordForm({
  supplier: { id: userId, username },
  onClose,
}: {
  supplier: Pick<User, 'id' | 'username'>
  onClose: () => void
}) {
  const form = useForm({
    initialValues: { newPassword: '', endsFeedAddresses: false },
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
      onSubmit={({ newPassword, endsFeedAddresses }) =>
        reset.mutate({ userId, newPassword, ...(endsFeedAddresses && { endsFeedAddresses }) })
      }
    >
      <FixedUsername username={username} />
      <NewPasswordInput
        {...usePasswordRules(username)}
        label="New Password"
        {...form.getInputProps('newPassword')}
      />
      <Text size="sm" c="dimmed">
        The supplier is signed out everywhere and needs the new password to sign in.
      </Text>
      <EndFeedAddresses
        label="End the feed addresses of all its retailers"
        {...form.getInputProps('endsFeedAddresses', { type: 'checkbox' })}
      />
      <FormFooter submitLabel="Reset Password" isPending={reset.isPending} />
    </ValidatedForm>
  )
}
