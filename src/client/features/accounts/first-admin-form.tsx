import { Button, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'

import type { SetupForm } from '../../../shared/schemas/setup'
import { PendingButton } from '../../components/feedback/pending-button'
import { PasswordInput } from '../../components/form/login-fields'
import { NewPasswordInput } from '../../components/form/new-password-input'
import { ValidatedForm } from '../../components/form/validated-form'
import { lazySchemaResolver } from '../../lib/lazy-schema-resolver'
import { usePasswordRules } from '../../session/password-rules'
import { FailureAlert } from './failure-alert'
import { setUp } from './setup-calls'

interface AdminFormProps {
  token: string
  onDone: () => void
  /** Restores a backup instead. */
  onRestore: () => void
}

/** Makes the first administrator. */
export function AdminForm({ token, onDone, onRestore }: AdminFormProps) {
  const form = useForm<SetupForm>({
    initialValues: { username: 'admin', password: '', confirmPassword: '' },
    validate: lazySchemaResolver(
      async () => (await import('../../../shared/schemas/setup')).setupFormSchema,
    ),
  })
  const rules = usePasswordRules(form.values.username)
  const create = useMutation({
    mutationFn: ({ username, password }: SetupForm) => setUp({ token, username, password }),
    onSuccess: onDone,
  })
  return (
    <>
      <Title order={1}>Set up this installation</Title>
      <Text c="dimmed" mt={4} mb="xl">
        Choose the name and the password of its first administrator.
      </Text>
      <ValidatedForm
        form={form}
        label="First administrator"
        hasFocus
        onSubmit={(values) => create.mutate(values)}
      >
        <FailureAlert error={create.error} />
        <TextInput
          label="Username"
          autoComplete="username"
          spellCheck={false}
          {...form.getInputProps('username')}
        />
        <NewPasswordInput {...rules} {...form.getInputProps('password')} />
        <PasswordInput
          label="Confirm password"
          autoComplete="new-password"
          {...form.getInputProps('confirmPassword')}
        />
        <PendingButton type="submit" size="md" fullWidth mt={4} isPending={create.isPending}>
          Create administrator
        </PendingButton>
      </ValidatedForm>
      <Button variant="subtle" fullWidth mt="md" onClick={onRestore}>
        Restore a backup instead
      </Button>
    </>
  )
}
