import { maskAddress } from '../../../../shared/masked-address'
import type { ConnectionRow } from '../../../db/schema'
import type { StoredConfig } from '../../../db/stored-json'
import { isViewed, may, type Actor } from '../../../domain/actor'
import { openAddress, showAddress } from '../../../secrets/sealed-address'
import type { SecretBox } from '../../../secrets/secret-box'

/** Which of a connection's addresses: its own, or that of its overlay. */
export type SourcePart = 'source' | 'overlay'

type Source = Pick<ConnectionRow, 'supplierId'> & { config: StoredConfig; part: SourcePart }

/** What an address of a supplier is encrypted for. */
export const sourceAddressOwner = (supplierId: number, part: SourcePart) =>
  `the ${part} of supplier ${supplierId}`

/** The whole address of a source. @throws SealError when it cannot be decrypted */
export const openSourceAddress = (
  secrets: SecretBox,
  { supplierId, config, part }: Source,
): string => openAddress(secrets, config, sourceAddressOwner(supplierId, part))

/**
 * The address as a viewer sees it: whole for those of the supplier who may change it. For others, and for everybody when it
 * cannot be decrypted, one that may contain a secret is masked.
 */
export function showSourceAddress(
  secrets: SecretBox,
  { supplierId, config, part }: Source,
  viewer: Actor | null,
): string {
  const isOwner = viewer?.id === supplierId && !isViewed(viewer) && may(viewer, 'manage')
  if (isOwner) return showAddress(secrets, config, sourceAddressOwner(supplierId, part))
  return config.sealedUrl ? maskAddress(config.url) : config.url
}
