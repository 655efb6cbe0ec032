import type { Generated } from 'kysely'

/**
 * A name by which our SFTP server is signed in to: of a connection, to put its files, or of a retailer, to fetch
 * its own. It ends by being deleted.
 */
export type SftpLoginsTable = {
  id: Generated<number>
  /** Whose files are put; null in the login of a retailer. */
  connectionId: number | null
  /** Whose file is fetched; null in the login of a connection. */
  retailerId: number | null
  username: string
  /** SHA-256 of the password, in hexadecimal, and its last characters; null: it has none. */
  passwordHash: string | null
  passwordEnd: string | null
  /** Lines as in `authorized_keys`: the kind, the key in base64, and what it is called. */
  publicKeys: Generated<string[]>
  createdAt: number
  lastUsedAt: number | null
  /** The last program, as it names itself. */
  lastClient: string | null
}
