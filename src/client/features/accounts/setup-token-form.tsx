import { Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'

import { PendingButton } from '../../components/feedback/pending-button'
import { ValidatedForm } from '../../components/form/validated-form'
import { lazySchemaResolver } from '../../lib/lazy-schema-resolver'
import { checkToken } from './setup-calls'

interface TokenFormProps {
  /** Of the address, or what was typed before. */
  initial: string
  /** Why that does not work. */
  problem: string | undefined
  onAccepted: (token: string) => void
}

/** Asks for the token that the terminal has printed. */
export function TokenForm({ initial, problem, onAccepted }: TokenFormProps) {
  const form = useForm({
    initialValues: { token: initial },
    initialErrors: problem === undefined ? {} : { token: problem },
    validate: lazySchemaResolver(
      async () => (await import('../../../shared/schemas/setup')).setupTokenInput,
    ),
  })
  const check = useMutation({
    mutationFn: checkToken,
    onSuccess: (_, token) => onAccepted(token),
    onError: ({ message }) => form.setFieldError('token', message),
  })
  return (
    <>
      <Title order={1}>Set up this installation</Title>
      <Text c="dimmed" mt={4} mb="xl">
        The terminal in which it was started has printed a set-up token. It is also in the file
        setup-token of the data folder.
      </Text>
      <ValidatedForm
        form={form}
        label="Token of this installation"
        hasFocus
        onSubmit={({ token }) => check.mutate(token.trim())}
      >
        <TextInput
          label="Set-up token"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('token')}
        />
        <PendingButton type="submit" size="md" fullWidth mt={4} isPending={check.isPending}>
          Continue
        </PendingButton>
      </ValidatedForm>
    </>
  )
}
