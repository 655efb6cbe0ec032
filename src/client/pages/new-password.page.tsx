import { Text, Title, VisuallyHidden } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconCircleCheck, IconMailX } from '@tabler/icons-react'

import type { NewPasswordForm } from '../../shared/schemas/recovery'
import { EmptyState, LoadError } from '../components/feedback/message-state'
import { PageSpinner } from '../components/feedback/page-spinner'
import { PendingButton } from '../components/feedback/pending-button'
import { PasswordInput } from '../components/form/login-fields'
import { NewPasswordInput } from '../components/form/new-password-input'
import { ValidatedForm } from '../components/form/validated-form'
import { ButtonLink } from '../components/layout/links'
import { EntryFrame } from '../features/accounts/entry-frame'
import { FailureAlert } from '../features/accounts/failure-alert'
import { useSecretLink } from '../features/accounts/use-secret-link'
import { errorMessage, errorStatus } from '../lib/error-message'
import { lazySchemaResolver } from '../lib/lazy-schema-resolver'
import { showFailure } from '../lib/toast'
import { useFieldErrors } from '../lib/use-field-errors'
import { usePageTitle } from '../session/page-title'
import { usePasswordRules } from '../session/password-rules'
import { trpc } from '../trpc'

const NOT_FOUND = 404

/** The page of a link for a new password. */
export function NewPasswordPage() {
  usePageTitle('New password')
  const { client } = trpc.useUtils()
  const { token, query } = useSecretLink('password-link', (secret) =>
    client.recovery.open.mutate({ token: secret }),
  )
  if (token === undefined) {
    return <Broken>The address is not complete. Open the whole link of the mail.</Broken>
  }
  if (query.data) return <Choosing token={token} username={query.data.username} />
  if (query.isPending) return <PageSpinner />
  if (errorStatus(query.error) === NOT_FOUND) return <Broken>{errorMessage(query.error)}</Broken>
  return (
    <EntryFrame>
      <VisuallyHidden component="h1">New password</VisuallyHidden>
      <LoadError title="The link could not be opened" query={query} />
    </EntryFrame>
  )
}

/** A link that does not work, with a way on. */
const Broken = ({ children }: { children: string }) => (
  <EntryFrame>
    <VisuallyHidden component="h1">New password</VisuallyHidden>
    <EmptyState
      icon={IconMailX}
      title="This link does not work"
      action={<ButtonLink to="/forgotten-password">Ask for a new link</ButtonLink>}
    >
      {children}
    </EmptyState>
  </EntryFrame>
)

function Choosing({ token, username }: { token: string; username: string }) {
  const rules = usePasswordRules(username)
  const form = useForm<NewPasswordForm>({
    initialValues: { newPassword: '', confirmPassword: '' },
    validate: lazySchemaResolver(
      async () => (await import('../../shared/schemas/recovery')).newPasswordFormSchema,
    ),
  })
  const save = trpc.recovery.setPassword.useMutation({
    onError: (error) => showFailure(error, 'The password was not changed'),
  })
  useFieldErrors(form, save.error)
  if (save.isSuccess) return <Done username={username} />
  return (
    <EntryFrame>
      <Title order={1}>New password</Title>
      <Text c="dimmed" mt={4} mb="xl" style={{ overflowWrap: 'anywhere' }}>
        Choose a new password for <bdi>{username}</bdi>. Everybody who is signed in with the old one
        is signed out.
      </Text>
      <ValidatedForm
        form={form}
        label="New password"
        hasFocus
        onSubmit={({ newPassword }) => save.mutate({ token, newPassword })}
      >
        <FailureAlert error={save.error} />
        {/* For password managers. */}
        <input hidden readOnly autoComplete="username" value={username} />
        <NewPasswordInput {...rules} label="New password" {...form.getInputProps('newPassword')} />
        <PasswordInput
          label="Confirm password"
          autoComplete="new-password"
          {...form.getInputProps('confirmPassword')}
        />
        <PendingButton type="submit" size="md" fullWidth mt={4} isPending={save.isPending}>
          Change password
        </PendingButton>
      </ValidatedForm>
    </EntryFrame>
  )
}

const Done = ({ username }: { username: string }) => (
  <EntryFrame>
    <VisuallyHidden component="h1">New password</VisuallyHidden>
    <EmptyState
      icon={IconCircleCheck}
      title="Your password is changed"
      action={<ButtonLink to="/auth">Login</ButtonLink>}
    >
      Sign in as <bdi>{username}</bdi> with the new one.
    </EmptyState>
  </EntryFrame>
)
