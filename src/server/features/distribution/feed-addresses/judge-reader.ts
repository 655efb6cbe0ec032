import type { ReadRefusal } from '../../../../shared/address-protection'
import type { FeedAddressRow } from '../../../db/schema'
import { isInNetworks } from '../../../domain/networks'
import { hashSecretToken } from '../../../domain/secret-token'

/** What protects a feed address besides its token. */
export type AddressProtection = Pick<FeedAddressRow, 'passwordHash' | 'networks' | 'validUntil'>

/** Who reads, as the web server knows it. */
export type AddressReader = {
  /** The address of the client, without what a proxy in between has. */
  address: string
  authorization: string | undefined
  userAgent: string | undefined
}

const CREDENTIALS = /^(?:bearer +(?<token>\S{1,200})|basic +(?<pair>[\w+/=-]{1,1000})) *$/i

/** Why a reader is not answered; null when it is. Every answer of a feed address is preceded by this. */
export function judgeReader(
  { passwordHash, networks, validUntil }: AddressProtection,
  reader: AddressReader,
  now: number,
): ReadRefusal | null {
  if (validUntil !== null && validUntil <= now) return 'expired'
  if (networks.length > 0 && !isInNetworks(reader.address, networks)) return 'network'
  if (passwordHash === null) return null
  const password = readPassword(reader.authorization ?? '')
  if (password === undefined) return 'password-missing'
  return hashSecretToken(password) === passwordHash ? null : 'password-wrong'
}

/** The password of either scheme, with whichever user name; undefined without one. */
function readPassword(authorization: string): string | undefined {
  const { token, pair } = CREDENTIALS.exec(authorization)?.groups ?? {}
  if (pair === undefined) return token
  const text = Buffer.from(pair, 'base64').toString()
  return text.slice(text.indexOf(':') + 1) || undefined
}
