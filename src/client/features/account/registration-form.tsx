import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

import { PASSWORD_MIN_LENGTH } from '../../../shared/constants'
import type { RegistrationForm as RegistrationValues } from '../../../shared/schemas/user'
import { focusFirstInvalid } from '../../lib/form-errors'

interface RegistrationFormProps {
  form: UseFormReturnType<RegistrationValues>
  onSubmit: (values: RegistrationValues) => void
}

/** A supplier signs up. */
export function RegistrationForm({ form, onSubmit }: RegistrationFormProps) {
  return (
    <form
      noValidate
      aria-label="Registration"
      onSubmit={form.onSubmit(onSubmit, (errors) => focusFirstInvalid(form, errors))}
    >
      <Stack gap="md">
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
        <TextInput
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label="Password"
          description={`At least ${PASSWORD_MIN_LENGTH} characters`}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <Button type="submit" size="md" fullWidth mt={4}>
          Create account
        </Button>
      </Stack>
    </form>
  )
}
