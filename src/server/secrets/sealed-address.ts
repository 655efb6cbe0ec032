import { addressOrigin } from '../../shared/address-origin'
import { maskAddress } from '../../shared/masked-address'
import { SealError, type SecretBox } from './secret-box'

/**
 * Follows the origin in `url` of an encrypted address. A process of an older version, which knows `url` only,
 * then gets a 404 and tries again: at the bare origin, it could publish what is there, or take an answer
 * of 200 for the receipt of an event.
 */
const HIDDEN_PATH = '/hidden-address-of-a-newer-version'

/**
 * An address as it is stored: whole in `url`, or encrypted in `sealedUrl` with only its origin and a
 * path that no server has in `url`; by the origin, requests are counted and people told where they go.
 */
export type StoredAddress = { url: string; sealedUrl?: string | null | undefined }

/**
 * Encrypts an address for its owner and its origin: it cannot be opened for another owner, nor after
 * the stored origin was changed.
 * @param owner whose address it is, and of what
 */
export function sealAddress(secrets: SecretBox, address: string, owner: string) {
  const origin = addressOrigin(address)
  const sealedUrl = secrets.seal(address, addressPlaceOf(owner, origin))
  return { url: `${origin}${HIDDEN_PATH}`, sealedUrl }
}

/** The whole address. @throws SealError when it cannot be decrypted */
export function openAddress(
  secrets: SecretBox,
  { url, sealedUrl }: StoredAddress,
  owner: string,
): string {
  return sealedUrl ? secrets.open(sealedUrl, addressPlaceOf(owner, url)) : url
}

/** The whole address for its owner; masked when it cannot be decrypted. */
export function showAddress(secrets: SecretBox, stored: StoredAddress, owner: string): string {
  try {
    return openAddress(secrets, stored, owner)
  } catch (error) {
    if (error instanceof SealError) return maskAddress(stored.url)
    throw error
  }
}

/** What an encrypted address is bound to: its owner, and the origin of the stored `url`. */
export const addressPlaceOf = (owner: string, url: string): string =>
  `address of ${owner} at ${addressOrigin(url)}`
