import { Button, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

import type { RegistrationForm as RegistrationValues } from '../../../shared/schemas/user'
import { UsernameInput } from '../../components/form/login-fields'
import { NewPasswordInput } from '../../components/form/new-password-input'
import { ValidatedForm } from '../../components/form/validated-form'
import { usePasswordRules } from '../../session/password-rules'
import { FailureAlert } from './failure-alert'

interface RegistrationFormProps {
  form: UseFormReturnType<RegistrationValues>
  /** Error of the last attempt. */
  error: unknown
  onSubmit: (values: RegistrationValues) => void
}

/** Sign-up form for suppliers. */
export function RegistrationForm({ form, error, onSubmit }: RegistrationFormProps) {
  return (
    <ValidatedForm form={form} label="Registration" hasFocus onSubmit={onSubmit}>
      <FailureAlert error={error} />
      <TextInput
        label="Company Name"
        autoComplete="organization"
        {...form.getInputProps('companyName')}
      />
      <TextInput
        label="Contact Email"
        type="email"
        autoComplete="email"
        {...form.getInputProps('contactEmail')}
      />
      <UsernameInput autoComplete="username" {...form.getInputProps('username')} />
      <NewPasswordInput
        {...usePasswordRules(form.values.username, form.values.companyName)}
        {...form.getInputProps('password')}
      />
      <Button type="submit" size="md" fullWidth mt={4}>
        Create account
      </Button>
    </ValidatedForm>
  )
}
