import { randomBytes } from 'node:crypto'

import { hashSecretToken } from '../../../domain/secret-token'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
/** 80 bits: whoever tries addresses is told of each that it is unknown. */
const TOKEN_CHARACTERS = 16
const MAX_NAME_CHARACTERS = 40
/** RFC 5321 allows 320. */
const MAX_ADDRESS_CHARACTERS = 400

/** The secret part of an address, of letters and digits that survive programs which change their case. */
export const createMailToken = (): string =>
  Array.from(randomBytes(TOKEN_CHARACTERS), (byte) => ALPHABET.charAt(byte % 32)).join('')

/** `Acme Ltd. – Stock` is `acme-ltd-stock`; only for people, since the token decides. */
const toLocalName = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME_CHARACTERS)
    .replaceAll(/^-|-$/g, '') || 'files'

export const toMailAddress = (name: string, token: string, domain: string): string =>
  `${toLocalName(name)}+${token}@${domain}`

/**
 * The hash by which the inbox of an address is found; null for an address of another domain, or without a token.
 * What stands before the token is ignored, and so is the case.
 */
export function hashOfAddress(address: string, domain: string): string | null {
  if (address.length > MAX_ADDRESS_CHARACTERS) return null
  const text = address.trim().replaceAll(/^<|>$/g, '').toLowerCase()
  const at = text.lastIndexOf('@')
  if (at < 0 || text.slice(at + 1) !== domain) return null
  const local = text.slice(0, at)
  const plus = local.lastIndexOf('+')
  const token = local.slice(plus + 1)
  return plus >= 0 && token.length === TOKEN_CHARACTERS ? hashSecretToken(token) : null
}
