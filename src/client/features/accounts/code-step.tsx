import { Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useState } from 'react'

import { ValidatedForm } from '../../components/form/validated-form'
import { fieldErrors } from '../../lib/error-message'
import { hasPasskeys } from '../../lib/has-passkeys'
import { useFieldErrors } from '../../lib/use-field-errors'
import { useAdoptSignIn } from '../../session/current-user'
import { usePageTitle } from '../../session/page-title'
import { trpc } from '../../trpc'
import { FailureAlert } from './failure-alert'
import { PasskeyLink } from './passkey-link'
import { signInByPasskey } from './passkey-sign-in'

export interface CodeStepProps {
  /** Of the last attempt. */
  error: unknown
  /** Whose password was right. */
  username: string
  onSubmit: (code: string) => void
  onBack: () => void
}

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function CodeStep(props: CodeStepProps) {
  usePageTitle('Enter your code')
  return (
    <>
      <Title order={1}>Enter your code</Title>
      <Text c="dimmed" mt={4} mb="xl">
        Your password is right. Signing in takes a code too.
      </Text>
      <CodeForm {...props} />
    </>
  )
}

function CodeForm({ error, username, onSubmit, onBack }: CodeStepProps) {
  const { client } = trpc.useUtils()
  const adoptSignIn = useAdoptSignIn()
  const [isRecovery, setRecovery] = useState(false)
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() ? null : 'Code is required') },
  })
  useEffect(() => {
    // A code is right once only: another one is typed.
    if (fieldErrors(error).code) form.setFieldValue('code', '')
    // oxlint-disable-next-line react/exhaustive-deps -- once per error
  }, [error])
  useFieldErrors(form, error)
  function swap() {
    setRecovery(!isRecovery)
    form.getInputNode('code')?.focus()
  }
  return (
    <ValidatedForm form={form} label="Code" hasFocus onSubmit={({ code }) => onSubmit(code)}>
      {!fieldErrors(error).code && <FailureAlert error={error} />}
      <TextInput
        label={isRecovery ? 'Recovery code' : 'Code'}
        description={
          isRecovery ? 'Each one works once' : 'The six digits that your authenticator app shows'
        }
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        inputMode={isRecovery ? 'text' : 'numeric'}
        {...form.getInputProps('code')}
      />
      <Button type="submit" size="md" fullWidth mt={4}>
        Continue
      </Button>
      <Stack gap={8} align="center">
        {hasPasskeys() && (
          <PasskeyLink onClick={() => void signInByPasskey(client, adoptSignIn, username)} />
        )}
        <Anchor component="button" type="button" size="sm" underline="always" onClick={swap}>
          {isRecovery ? 'Use a code of the app' : 'Use a recovery code'}
        </Anchor>
        <Anchor component="button" type="button" size="sm" underline="always" onClick={onBack}>
          Back to login
        </Anchor>
      </Stack>
    </ValidatedForm>
  )
}
