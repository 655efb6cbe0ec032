import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { findSignInRules } from '../sign-in-rules/sign-in-rules.queries'
import type { Requester } from './fair-gate'
import { isGuessable } from './guessable-password'

/** How long a new password has to be at least. */
export async function readPasswordMinLength({ db }: Pick<Deps, 'db'>): Promise<number> {
  return (await findSignInRules(db)).passwordMinLength
}

/**
 * Hashes a password that somebody has chosen. All new passwords come this way.
 * @param names of the account, which a password may be refused for
 * @param field the path of the input field that it comes from
 * @throws DomainError INVALID when it is shorter or weaker than the installation asks for; THROTTLED
 */
export async function hashNewPassword(
  deps: Pick<Deps, 'db' | 'passwords'>,
  requester: Requester,
  password: string,
  { names, field = 'password' }: { names: readonly (string | null)[]; field?: string },
): Promise<string> {
  const { passwordMinLength, refusesGuessable } = await findSignInRules(deps.db)
  if (password.length < passwordMinLength) {
    const message = `Password must be at least ${passwordMinLength} characters`
    throw new DomainError('INVALID', message, { field })
  }
  if (refusesGuessable && (await isGuessable(password, names))) {
    const message = 'This password is among the first that are tried. Choose another one.'
    throw new DomainError('INVALID', message, { field })
  }
  return deps.passwords.hash(requester, password)
}
