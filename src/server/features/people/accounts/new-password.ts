import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { findSignInRules } from '../sign-in-rules/sign-in-rules.queries'
import type { Requester } from './fair-gate'

/** How long a new password has to be at least. */
export async function readPasswordMinLength({ db }: Pick<Deps, 'db'>): Promise<number> {
  return (await findSignInRules(db)).passwordMinLength
}

/**
 * Hashes a password that somebody has chosen. All new passwords come this way.
 * @param field the path of the input field that it comes from
 * @throws DomainError INVALID when it is shorter than the installation asks for; THROTTLED
 */
export async function hashNewPassword(
  deps: Pick<Deps, 'db' | 'passwords'>,
  requester: Requester,
  password: string,
  field = 'password',
): Promise<string> {
  const minLength = await readPasswordMinLength(deps)
  if (password.length < minLength) {
    const message = `Password must be at least ${minLength} characters`
    throw new DomainError('INVALID', message, { field })
  }
  return deps.passwords.hash(requester, password)
}
