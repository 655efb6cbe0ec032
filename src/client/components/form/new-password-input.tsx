import type { PasswordInputProps } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'

import { PASSWORD_MIN_LENGTH } from '../../../shared/constants'
import { PasswordInput } from './login-fields'

/** Fetched once the field is used; whoever has no network does without. */
const PasswordStrength = lazy(async () => {
  const loaded = await import('./password-strength').catch(() => null)
  return { default: loaded?.PasswordStrength ?? (() => null) }
})

export interface NewPasswordInputProps extends PasswordInputProps {
  /** Those of the person and the company, as far as they are known: they make a password weak. */
  names?: readonly (string | null | undefined)[]
}

/** Field for a password that is being set, of at least `minLength` characters, with how weak it is. */
export function NewPasswordInput({
  minLength = PASSWORD_MIN_LENGTH,
  names,
  ...props
}: NewPasswordInputProps) {
  const [isUsed, setUsed] = useState(false)
  return (
    <div onFocus={() => setUsed(true)}>
      <PasswordInput
        label="Password"
        description={`At least ${minLength} characters`}
        autoComplete="new-password"
        {...props}
      />
      <Suspense>{isUsed && <PasswordStrength password={props.value} names={names} />}</Suspense>
    </div>
  )
}
