import { maskAddress } from '../../shared/masked-address'
import { SealError, type SecretBox } from './secret-box'

/**
 * An address as it is stored: whole in `url`, or encrypted in `sealedUrl` with only its origin in `url`, by which
 * requests are counted and people told where they go.
 */
export type StoredAddress = { url: string; sealedUrl?: string | null | undefined }

/**
 * Encrypts an address for its owner and its origin: it cannot be opened for another owner, nor after
 * the stored origin was changed.
 * @param owner whose address it is, and of what
 */
export function sealAddress(secrets: SecretBox, address: string, owner: string) {
  const { origin } = new URL(address)
  return { url: origin, sealedUrl: secrets.seal(address, addressPlaceOf(owner, origin)) }
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

/** What an encrypted address is bound to. */
export const addressPlaceOf = (owner: string, origin: string): string =>
  `address of ${owner} at ${origin}`
