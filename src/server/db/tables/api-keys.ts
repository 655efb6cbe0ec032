import type { Generated } from 'kysely'

import type { KeyScope } from '../../../shared/api-keys'

/** A key by which programs call for a person. It ends by being deleted. */
export type ApiKeysTable = {
  id: Generated<number>
  /** Who made it, and whom it acts for. */
  userId: number
  name: string
  /** SHA-256 of the key, in hexadecimal; the key is stored nowhere. */
  tokenHash: string
  /** The last characters of the key, by which people tell keys apart. */
  tokenEnd: string
  scopes: KeyScope[]
  /** The only connection or retailer that it reaches; null without this limit. */
  connectionId: number | null
  retailerId: number | null
  /** In CIDR notation; empty for any. */
  networks: string[]
  createdAt: number
  expiresAt: number | null
  /** When its person was told that it expires soon. */
  expiryToldAt: number | null
  /** The last use within five minutes, by what and from where. */
  lastUsedAt: number | null
  program: string | null
  address: string | null
}
