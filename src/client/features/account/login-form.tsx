import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

import type { LoginInput } from '../../../shared/schemas/user'
import { focusFirstInvalid } from '../../lib/form-errors'

interface LoginFormProps {
  form: UseFormReturnType<LoginInput>
  onSubmit: (input: LoginInput) => void
}

export function LoginForm({ form, onSubmit }: LoginFormProps) {
  return (
    <form
      noValidate
      aria-label="Login"
      onSubmit={form.onSubmit(onSubmit, (errors) => focusFirstInvalid(form, errors))}
    >
      <Stack gap="md">
        <TextInput
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <Button type="submit" size="md" fullWidth mt={4}>
          Login
        </Button>
      </Stack>
    </form>
  )
}
