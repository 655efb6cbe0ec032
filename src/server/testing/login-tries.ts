import { expect } from 'vitest'

import type { Deps } from '../domain/deps'
import { login } from '../features/people/accounts/accounts'
import { ADDRESS } from './factories'

/** Tries to sign in; returns `in`, `wrong`, or the seconds to wait when throttled. */
export async function tryLogin(deps: Deps, username: string, password: string, address = ADDRESS) {
  try {
    await login(deps, { username, password }, address)
    return 'in'
  } catch (error) {
    const { code, retryAfterSeconds } = error as { code: string; retryAfterSeconds?: number }
    return code === 'UNAUTHENTICATED' ? 'wrong' : retryAfterSeconds
  }
}

/** Fails to sign in `times` times without being throttled. */
export async function failLogins(
  deps: Deps,
  times: number,
  username: string,
  address = ADDRESS,
): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    expect(await tryLogin(deps, username, 'wrong', address)).toBe('wrong')
  }
}

export const listAttempts = ({ db }: Deps) => db.selectFrom('attempts').selectAll().execute()

/** Wraps `real` to count the comparisons of a password with a hash. */
export function countHashChecks<T extends Deps>(real: T): { deps: T; count(): number } {
  let checks = 0
  const verify: Deps['passwords']['verify'] = (requester, hash, password, count) =>
    real.passwords.verify(requester, hash, password, async () => {
      await count?.()
      checks += 1
    })
  return { deps: { ...real, passwords: { ...real.passwords, verify } }, count: () => checks }
}
