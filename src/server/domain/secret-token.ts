import { hash, randomBytes } from 'node:crypto'

import type { SecretLink } from '../../shared/schemas/secret-link'
import { toInstant, toInstantOrNull } from './instant'

const TOKEN_BYTES = 32

/** A token of 43 characters of `A–Z a–z 0–9 - _`, which nobody can guess. */
export const createSecretToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

const SHOWN_CHARACTERS = 4

/** The part of a token by which people tell addresses and links apart. */
export const endOfToken = (token: string): string => token.slice(-SHOWN_CHARACTERS)

/** What is stored of a token. Tokens are random, so that a fast hash is enough. */
export const hashSecretToken = (token: string): string => hash('sha256', token, 'hex')

/** A stored address or link, as its owner sees it. */
export const toSecretLink = (row: SecretLinkRow): SecretLink => ({
  id: row.id,
  tokenEnd: row.tokenEnd,
  createdAt: toInstant(row.createdAt),
  expiresAt: toInstantOrNull(row.expiresAt),
  lastUsedAt: toInstantOrNull(row.lastUsedAt),
  lastClient: row.lastClient,
})

type SecretLinkRow = Pick<SecretLink, 'id' | 'tokenEnd' | 'lastClient'> & {
  createdAt: number
  expiresAt: number | null
  lastUsedAt: number | null
}
