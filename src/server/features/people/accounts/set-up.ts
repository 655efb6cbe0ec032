import { hash, timingSafeEqual } from 'node:crypto'

import type { SetupInput } from '../../../../shared/schemas/setup'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { addFirstAdmin, hasAdmin } from './administrators'
import { hashNewPassword } from './new-password'
import { OPERATOR } from './passwords'

/** What a caller has to show: the token of the installation, and what was sent as that. */
export type ShownToken = {
  token: string
  given: string
  /** The client address as rate limits count it. */
  address: string
}

/**
 * Lets only the holder of the set-up token pass, and nobody once there is an administrator. Wrong tokens are counted;
 * the right one works however many there were, so that nobody can keep its holder out.
 * @throws DomainError NOT_FOUND with an administrator; FORBIDDEN, or THROTTLED, for a wrong token
 */
export async function requireSetupToken(deps: Deps, shown: ShownToken): Promise<void> {
  if (await hasAdmin(deps.db)) throw notFound('Page')
  if (isSame(shown.token, shown.given)) return
  await countAttempts(deps, [
    { limit: 'setUpFromAddress', subject: shown.address },
    { limit: 'setUp', subject: 'all' },
  ])
  throw new DomainError('FORBIDDEN', 'This is not the set-up token of this installation')
}

/** Takes the same time for all of one length, and tells no length. */
const isSame = (token: string, given: string) =>
  timingSafeEqual(hash('sha256', token, 'buffer'), hash('sha256', given, 'buffer'))

/**
 * Makes the first administrator, and with that ends the token. Of several who try at once, one does.
 * @throws DomainError as `requireSetupToken`; INVALID for a password that the installation refuses; CONFLICT when the
 *   name belongs to somebody
 */
export async function setUp(
  deps: Deps,
  shown: ShownToken,
  { username, password }: Pick<SetupInput, 'username' | 'password'>,
): Promise<void> {
  await requireSetupToken(deps, shown)
  const passwordHash = await hashNewPassword(deps, OPERATOR, { password, names: [username] })
  if (!(await addFirstAdmin(deps, username, passwordHash))) throw notFound('Page')
}
