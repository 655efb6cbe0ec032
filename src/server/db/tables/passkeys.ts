import type { Generated } from 'kysely'

import type { PasskeyTransport } from '../../../shared/passkeys'

/** A key of a person's device or password manager, which signs in without the password. */
export type PasskeysTable = {
  id: Generated<number>
  userId: number
  name: string
  /** What the browser names it by. */
  credentialId: string
  /** Checks its signatures: COSE, in base64url. */
  publicKey: string
  /** The only host at which browsers use it. */
  host: string
  /** How browsers reach it. */
  transports: PasskeyTransport[]
  /** As it said at the last use; 0 for one that does not count. */
  useCount: number
  /** When the newest challenge was made that it has answered: none up to then is accepted again. */
  challengesTakenUntil: number
  createdAt: number
  lastUsedAt: number | null
}
