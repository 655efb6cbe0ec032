import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { findSignInRules } from '../sign-in-rules/sign-in-rules.queries'
import type { Requester } from './fair-gate'
import { findFirstGuess } from './first-guesses'

/** How long a new password has to be at least. */
export async function readPasswordMinLength({ db }: Pick<Deps, 'db'>): Promise<number> {
  return (await findSignInRules(db)).passwordMinLength
}

type NewPassword = {
  password: string
  /** The path of the input field that it comes from. */
  field?: string
  /** Those of the person and the company, which somebody else would try. */
  names: readonly (string | null | undefined)[]
}

/**
 * Hashes a password that somebody has chosen. All new passwords come this way.
 * @throws DomainError INVALID when it is shorter than the installation asks for, or one of the first guesses where it
 *   refuses these; THROTTLED
 */
export async function hashNewPassword(
  deps: Pick<Deps, 'db' | 'passwords' | 'config'>,
  requester: Requester,
  { password, field = 'password', names }: NewPassword,
): Promise<string> {
  const { passwordMinLength, isCommonRefused } = await findSignInRules(deps.db)
  if (password.length < passwordMinLength) {
    const message = `Password must be at least ${passwordMinLength} characters`
    throw new DomainError('INVALID', message, { field })
  }
  const guess = isCommonRefused && (await findFirstGuess(password, [deps.config.appName, ...names]))
  if (guess) throw new DomainError('INVALID', guess, { field })
  return deps.passwords.hash(requester, password)
}
