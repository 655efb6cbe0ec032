import { Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

import type { LoginInput } from '../../../shared/schemas/user'
import { PasswordInput, UsernameInput } from '../../components/login-fields'
import { ValidatedForm } from '../../components/validated-form'

interface LoginFormProps {
  form: UseFormReturnType<LoginInput>
  onSubmit: (input: LoginInput) => void
}

export function LoginForm({ form, onSubmit }: LoginFormProps) {
  return (
    <ValidatedForm form={form} label="Login" onSubmit={onSubmit}>
      <UsernameInput autoComplete="username" {...form.getInputProps('username')} />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <Button type="submit" size="md" fullWidth mt={4}>
        Login
      </Button>
    </ValidatedForm>
  )
}
