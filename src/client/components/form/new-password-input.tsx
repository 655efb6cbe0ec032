import type { PasswordInputProps } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'

import { PASSWORD_MIN_LENGTH } from '../../../shared/constants'
import { PasswordInput } from './login-fields'

/** Fetched once the field is used; whoever has no network does without. */
const PasswordStrength = lazy(async () => {
  const loaded = await import('./password-strength').catch(() => null)
  return { default: loaded?.PasswordStrength ?? (() => null) }
})

/** Field for a password that is being set, of at least `minLength` characters, with how weak it is. */
export function NewPasswordInput({
  minLength = PASSWORD_MIN_LENGTH,
  ...props
}: PasswordInputProps) {
  const [isUsed, setUsed] = useState(false)
  return (
    <div onFocus={() => setUsed(true)}>
      <PasswordInput
        label="Password"
        description={`At least ${minLength} characters`}
        autoComplete="new-password"
        {...props}
      />
      <Suspense>{isUsed && <PasswordStrength password={props.value} />}</Suspense>
    </div>
  )
}
