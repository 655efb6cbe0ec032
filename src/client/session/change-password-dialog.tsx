import { Button, Stack, Text } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'

import { changePasswordFormSchema, type ChangePasswordForm } from '../../shared/schemas/user'
import { DialogActions } from '../components/dialog/dialog-actions'
import { FormDialog } from '../components/dialog/form-dialog'
import type { DialogProps } from '../components/dialog/lazy-dialog'
import { EndFeedAddresses } from '../components/form/end-feed-addresses'
import { FormFooter } from '../components/form/form-footer'
import { PasswordInput } from '../components/form/login-fields'
import { NewPasswordInput } from '../components/form/new-password-input'
import { ValidatedForm } from '../components/form/validated-form'
import { showFieldErrors } from '../lib/form-errors'
import { showFailure, showSuccess } from '../lib/toast'
import { trpc } from '../trpc'
import { useSignedInUser } from './current-user'
import { useMay } from './may'
import { usePasswordRules } from './password-rules'

/** Changes the user's own password; used by all roles. */
export function ChangePasswordDialog({ isOpen, onClose }: DialogProps) {
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
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Stack>
  )
}

/** An administrator has no feed addresses. */
const FEED_ADDRESSES = {
  SUPPLIER: 'End the feed addresses of all my retailers',
  RETAILER: 'End my feed addresses',
  SUPER_ADMIN: null,
} as const

function ChangePasswordForm({ onClose }: { onClose: () => void }) {
  const { role, username, companyName } = useSignedInUser()
  const endLabel = FEED_ADDRESSES[role]
  const mayEndAddresses = useMay('addresses')
  const { feedAddresses } = trpc.useUtils()
  const form = useForm<ChangePasswordForm>({
    initialValues: {
      currentPassword: '',
      newPassword: '',
      confirmPassword: '',
      endsFeedAddresses: false,
    },
    validate: schemaResolver(changePasswordFormSchema, { sync: true }),
  })
  const change = trpc.session.changePassword.useMutation({
    onSuccess: () => {
      showSuccess('Password updated successfully')
      onClose()
      void feedAddresses.list.invalidate()
    },
    onError: (error) => {
      showFailure(error)
      showFieldErrors(form, error)
    },
  })
  return (
    <ValidatedForm
      form={form}
      onSubmit={({ currentPassword, newPassword, endsFeedAddresses }) =>
        change.mutate({
          currentPassword,
          newPassword,
          ...(endsFeedAddresses && { endsFeedAddresses }),
        })
      }
    >
      <PasswordInput
        label="Current Password"
        autoComplete="current-password"
        {...form.getInputProps('currentPassword')}
      />
      <NewPasswordInput
        label="New Password"
        {...usePasswordRules(username, companyName)}
        {...form.getInputProps('newPassword')}
      />
      <PasswordInput
        label="Confirm New Password"
        autoComplete="new-password"
        {...form.getInputProps('confirmPassword')}
      />
      {endLabel && mayEndAddresses && (
        <EndFeedAddresses
          label={endLabel}
          {...form.getInputProps('endsFeedAddresses', { type: 'checkbox' })}
        />
      )}
      <FormFooter submitLabel="Change Password" isPending={change.isPending} />
    </ValidatedForm>
  )
}
