import { hash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** A token of 43 characters of `A–Z a–z 0–9 - _`, which nobody can guess. */
export const createSecretToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** What is stored of a token. Tokens are random, so that a fast hash is enough. */
export const hashSecretToken = (token: string): string => hash('sha256', token, 'hex')
