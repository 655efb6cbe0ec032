import { createHash } from 'node:crypto'

import type { PasskeyRow } from '../../../db/schema'
import type { UserRecord } from '../accounts/users.queries'

/** A passkey as browsers are told of it. */
export const toCredential = ({ credentialId, transports }: PasskeyRow) => ({
  id: credentialId,
  transports,
})

/** By what passkeys name their person: the same for all of a person, and telling nothing. */
export const toUserHandle = ({ id, createdAt }: Pick<UserRecord, 'id' | 'createdAt'>): string =>
  createHash('sha256').update(`passkeys of user ${id} since ${createdAt}`).digest('base64url')
