import { addressOrigin } from './address-origin'
import { SECRET_MASK } from './schemas/source-auth'

/** No shorter part of a path can hold a key that nobody guesses. */
const SHORTEST_SECRET = 16

/**
 * Whether an address may contain a secret: it has a query, a fragment, a user name or password, or a part
 * of its path with 16 or more characters.
 */
export function mayContainSecret(address: string): boolean {
  const { username, password, pathname, search, hash } = new URL(address)
  const hasLongPart = pathname.split('/').some((part) => part.length >= SHORTEST_SECRET)
  return hasLongPart || [username, password, search, hash].some((part) => part !== '')
}

/** An address without anything that could be a secret: `https://example.com/••••••`. */
export const maskAddress = (address: string): string => `${addressOrigin(address)}/${SECRET_MASK}`

/** Whether an address is masked, or was entered by editing a masked one. */
export const isMasked = (address: string): boolean =>
  address.includes(SECRET_MASK) || address.includes(encodeURI(SECRET_MASK))
