import { TextInput } from '@mantine/core'

import { PendingButton } from '../../components/feedback/pending-button'
import { UsernameInput } from '../../components/form/login-fields'
import { NewPasswordInput } from '../../components/form/new-password-input'
import { ValidatedForm } from '../../components/form/validated-form'
import { usePasswordRules } from '../../session/password-rules'
import { FailureAlert } from './failure-alert'
import type { useAcceptInvitation } from './use-accept-invitation'

interface InvitationFormProps {
  acceptance: ReturnType<typeof useAcceptInvitation>
  /** Whether an address is asked for: the invitation has none. */
  asksEmail: boolean
}

/** Username and password of whoever accepts an invitation, and nothing that is known already. */
export function InvitationForm({ acceptance, asksEmail }: InvitationFormProps) {
  const { form, error, isPending, accept } = acceptance
  return (
    <ValidatedForm form={form} label="Your account" hasFocus onSubmit={accept}>
      <FailureAlert error={error} />
      <UsernameInput autoComplete="username" {...form.getInputProps('username')} />
      <NewPasswordInput
        {...usePasswordRules(form.values.username)}
        {...form.getInputProps('password')}
      />
      {asksEmail && (
        <TextInput
          label="Contact Email"
          type="email"
          autoComplete="email"
          {...form.getInputProps('contactEmail')}
        />
      )}
      <PendingButton type="submit" size="md" fullWidth mt={4} isPending={isPending}>
        Accept invitation
      </PendingButton>
    </ValidatedForm>
  )
}
