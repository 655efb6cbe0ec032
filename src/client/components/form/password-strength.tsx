import { rateStrength, type Strength } from '../../lib/rate-strength'

import classes from './password-strength.module.css'

const LABELS: Record<Strength, string> = {
  common: 'Very common',
  weak: 'Weak',
  fair: 'Fair',
  good: 'Good',
}

interface PasswordStrengthProps {
  password: unknown
  names: readonly (string | null | undefined)[] | undefined
}

/** Says how weak a password is. Nobody is refused for what it says. */
export function PasswordStrength({ password, names }: PasswordStrengthProps) {
  if (typeof password !== 'string' || password === '') return null
  const strength = rateStrength(password, names)
  return (
    <div className={classes.strength} data-strength={strength}>
      <span className={classes.meter} aria-hidden="true" />
      <output aria-label="Strength of the password">{LABELS[strength]}</output>
    </div>
  )
}
