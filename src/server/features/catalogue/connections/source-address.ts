import { maskAddress } from '../../../../shared/masked-address'
import type { ConnectionRow } from '../../../db/schema'
import type { StoredConfig } from '../../../db/stored-json'
import { isViewed, may, type Actor } from '../../../domain/actor'
import { openAddress, showAddress } from '../../../secrets/sealed-address'
import type { SecretBox } from '../../../secrets/secret-box'

/** Which of a connection's addresses: its own, or that of its overlay. */
export type SourcePart = 'source' | 'overlay'

type Source = Pick<ConnectionRow, 'supplierId'> & { config: StoredConfig; part: SourcePart }

/** Whose secrets those of a supplier's source are. */
export const sourceOwner = (supplierId: number, part: SourcePart) =>
  `${part} of supplier ${supplierId}`

/** What an address that people have entered is encrypted for. */
export const configAddressOwner = (owner: string) => `the ${owner}`

/** The whole address of `owner`. @throws SealError when it cannot be decrypted */
export const openConfigAddress = (
  secrets: SecretBox,
  { owner, config }: { owner: string; config: StoredConfig },
): string => openAddress(secrets, config, configAddressOwner(owner))

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
  const owner = configAddressOwner(sourceOwner(supplierId, part))
  if (isOwner) return showAddress(secrets, config, owner)
  return config.sealedUrl ? maskAddress(config.url) : config.url
}
