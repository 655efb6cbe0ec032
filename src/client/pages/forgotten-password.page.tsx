import { Alert, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconMailFast } from '@tabler/icons-react'

import type { PasswordLinkInput } from '../../shared/schemas/recovery'
import { PendingButton } from '../components/feedback/pending-button'
import { ValidatedForm } from '../components/form/validated-form'
import { TextLink } from '../components/layout/links'
import { EntryFrame } from '../features/accounts/entry-frame'
import { FailureAlert } from '../features/accounts/failure-alert'
import { lazySchemaResolver } from '../lib/lazy-schema-resolver'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

const loadSchemas = () => import('../../shared/schemas/recovery')

/** Where somebody who has forgotten a password asks for a link by e-mail. */
export function ForgottenPasswordPage() {
  usePageTitle('Forgotten password')
  const request = trpc.recovery.request.useMutation()
  const form = useForm<PasswordLinkInput>({
    initialValues: { login: '' },
    onValuesChange: () => void loadSchemas(),
    validate: lazySchemaResolver(async () => (await loadSchemas()).passwordLinkInput),
  })
  return (
    <EntryFrame>
      <Title order={1}>Forgotten password</Title>
      <Text c="dimmed" mt={4} mb="xl">
        We send a link to the address that you have confirmed for alerts. It works for an hour.
      </Text>
      <output>
        {request.isSuccess && (
          <Alert
            mb="md"
            role="note"
            icon={<IconMailFast size={18} aria-hidden="true" />}
            title="Look into your mailbox"
          >
            If there is such an account, and its address is confirmed, a link is on its way. Nothing
            there in a few minutes? Ask your supplier; suppliers ask the administrator.
          </Alert>
        )}
      </output>
      <ValidatedForm
        form={form}
        label="Forgotten password"
        hasFocus
        onSubmit={(input) => request.mutate(input)}
      >
        <FailureAlert error={request.error} />
        <TextInput
          label="Username or e-mail"
          autoCapitalize="none"
          autoComplete="username"
          spellCheck={false}
          {...form.getInputProps('login')}
        />
        <PendingButton type="submit" size="md" fullWidth mt={4} isPending={request.isPending}>
          {request.isSuccess ? 'Send another link' : 'Send a link'}
        </PendingButton>
      </ValidatedForm>
      <Text c="dimmed" mt="xl" ta="center">
        <TextLink to="/auth" fw={550} underline="always">
          Back to login
        </TextLink>
      </Text>
    </EntryFrame>
  )
}
