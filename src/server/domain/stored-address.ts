import { isMasked, maskAddress, mayContainSecret } from '../../shared/masked-address'
import { openAddress, sealAddress, type StoredAddress } from '../secrets/sealed-address'
import { SealError, type SecretBox } from '../secrets/secret-box'
import { DomainError } from './errors'

type AddressInput = {
  address: string
  /** The path of the input, for the error. */
  field: string
  /** Whose address it is, and of what. */
  owner: string
  /** The address stored so far. */
  known?: StoredAddress | undefined
  /** Whether it is a secret however it looks. */
  isSecret?: boolean
}

/**
 * What is stored of an address: it is encrypted if it may contain a secret. The stored one is kept when it is
 * entered again, or sent back masked.
 * @throws DomainError INVALID for a masked address that is not the stored one
 */
export function toStoredAddress(secrets: SecretBox, input: AddressInput): StoredAddress {
  const { address, field, owner, known, isSecret = mayContainSecret(address) } = input
  // A plain one that should not be is encrypted now.
  const isSealedIfSecret = !isSecret || Boolean(known?.sealedUrl)
  if (known && isSealedIfSecret && isKnown(secrets, known, input)) return known
  if (isMasked(address)) {
    const why = 'Enter the whole address: the dots stand for a hidden part'
    throw new DomainError('INVALID', why, { field })
  }
  return isSecret ? sealAddress(secrets, address, owner) : { url: address }
}

function isKnown(
  secrets: SecretBox,
  known: StoredAddress,
  { address, owner }: AddressInput,
): boolean {
  if (known.sealedUrl && address === maskAddress(known.url)) return true
  try {
    return openAddress(secrets, known, owner) === address
  } catch (error) {
    if (error instanceof SealError) return false
    throw error
  }
}
