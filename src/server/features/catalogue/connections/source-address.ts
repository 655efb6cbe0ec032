import { maskAddress } from '../../../../shared/masked-address'
import type { ConnectionRow } from '../../../db/schema'
import { isViewed, type Actor } from '../../../domain/actor'
import { openAddress, showAddress } from '../../../secrets/sealed-address'
import type { SecretBox } from '../../../secrets/secret-box'

type Source = Pick<ConnectionRow, 'supplierId' | 'config'>

/** What the address of a supplier's source is encrypted for. */
export const sourceAddressOwner = (supplierId: number) => `the source of supplier ${supplierId}`

/** The whole address of a source. @throws SealError when it cannot be decrypted */
export const openSourceAddress = (secrets: SecretBox, { supplierId, config }: Source): string =>
  openAddress(secrets, config, sourceAddressOwner(supplierId))

/**
 * The address as a viewer sees it: whole for the supplier itself. For others, and for everybody when it
 * cannot be decrypted, one that may contain a secret is masked.
 */
export function showSourceAddress(
  secrets: SecretBox,
  { supplierId, config }: Source,
  viewer: Actor | null,
): string {
  const isOwner = viewer?.id === supplierId && !isViewed(viewer)
  if (isOwner) return showAddress(secrets, config, sourceAddressOwner(supplierId))
  return config.sealedUrl ? maskAddress(config.url) : config.url
}
