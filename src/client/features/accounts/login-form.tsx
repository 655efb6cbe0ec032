import { Button, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

import type { LoginInput } from '../../../shared/schemas/user'
import { PasswordInput, UsernameInput } from '../../components/form/login-fields'
import { ValidatedForm } from '../../components/form/validated-form'
import { TextLink } from '../../components/layout/links'
import { FailureAlert } from './failure-alert'

interface LoginFormProps {
  form: UseFormReturnType<LoginInput>
  /** Error of the last attempt. */
  error: unknown
  /** What that is, where no toast has said so. */
  title?: string | undefined
  /** Whether a link for a new password can be sent. */
  sendsMail: boolean
  onSubmit: (input: LoginInput) => void
}

export function LoginForm({ form, error, title, sendsMail, onSubmit }: LoginFormProps) {
  return (
    <ValidatedForm form={form} label="Login" hasFocus method="post" onSubmit={onSubmit}>
      <FailureAlert error={error} title={title} />
      <UsernameInput name="username" autoComplete="username" {...form.getInputProps('username')} />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <Button type="submit" size="md" fullWidth mt={4}>
        Login
      </Button>
      <Text c="dimmed" size="sm" ta="center">
        Forgotten your password?{' '}
        {sendsMail ? (
          <TextLink to="/forgotten-password" underline="always">
            Get a link by e-mail
          </TextLink>
        ) : (
          'Ask your supplier. Suppliers ask the administrator.'
        )}
      </Text>
    </ValidatedForm>
  )
}
