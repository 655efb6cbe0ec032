import { expect } from 'vitest'

import type { Deps } from '../domain/deps'
import { login } from '../features/accounts/accounts'
import { ADDRESS } from './factories'

/** What becomes of a try: `in`, `wrong`, or the seconds to wait. */
export async function tryLogin(deps: Deps, username: string, password: string, address = ADDRESS) {
  try {
    await login(deps, { username, password }, address)
    return 'in'
  } catch (error) {
    const { code, retryAfterSeconds } = error as { code: string; retryAfterSeconds?: number }
    return code === 'UNAUTHENTICATED' ? 'wrong' : retryAfterSeconds
  }
}

/** So many tries with a wrong password, none of which is held up. */
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

/** Counts the passwords that are compared with a hash. */
export function countHashChecks<T extends Deps>(real: T): { deps: T; count(): number } {
  let checks = 0
  const verify: Deps['passwords']['verify'] = (requester, hash, password, count) =>
    real.passwords.verify(requester, hash, password, async () => {
      await count?.()
      checks += 1
    })
  return { deps: { ...real, passwords: { ...real.passwords, verify } }, count: () => checks }
}
