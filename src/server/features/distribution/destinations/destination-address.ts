import { destinationKindOf, hasFolders, toFolderAddress } from '../../../../shared/destinations'
import { isMasked, maskAddress } from '../../../../shared/masked-address'
import type { ConnectionConfigInput } from '../../../../shared/schemas/connection'
import { splitTypedAddress } from '../../../../shared/typed-address'
import type { DestinationRow } from '../../../db/schema'
import type { StoredConfig } from '../../../db/stored-json'
import { isViewed, may, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { showAddress } from '../../../secrets/sealed-address'
import { openConfig } from '../../catalogue/connections/open-source'
import { configAddressOwner } from '../../catalogue/connections/source-address'
import { maskAuth, toSourceConfig, toStoredConfig } from '../../catalogue/connections/source-config'
import type { SentFileIds } from './sent-file.queries'

/** Whose secrets those of a file's destinations are. */
export const destinationOwner = ({ retailerId, mergedFileId }: SentFileIds) =>
  `destination of ${retailerId === null ? `merged file ${mergedFileId}` : `retailer ${retailerId}`}`

const STAYS = 'What is done with files that were read is not for an address to which files are sent'

type Entered = ConnectionConfigInput & { url: string }

/**
 * Returns how files are sent to an address, and what to store of it, with secrets encrypted.
 * @param known what is stored so far
 * @throws DomainError INVALID as for a source
 */
export function toDestinationConfig(
  { secrets }: Pick<Deps, 'secrets'>,
  of: SentFileIds,
  input: Entered,
  known?: StoredConfig,
) {
  const { address } = splitTypedAddress(input.url)
  const kind = destinationKindOf(address)
  if (!kind) {
    throw new DomainError('INVALID', 'Nothing can be sent to this address', { field: 'config.url' })
  }
  if (input.transfer?.afterReading && input.transfer.afterReading.action !== 'leave') {
    throw new DomainError('INVALID', STAYS, { field: 'config.transfer.afterReading' })
  }
  const isFolder = hasFolders(address) && !isMasked(input.url)
  const given = isFolder ? { ...input, url: toFolderAddress(input.url) } : input
  const stored = { owner: destinationOwner(of), known, fieldPrefix: 'config.' } as const
  return { kind, config: toStoredConfig(toSourceConfig(secrets, given, stored)) }
}

/**
 * What of a destination somebody keeps who enters an address. A web address that another company enters may be that of a
 * place of its own at the same host, which would get the retailer's secret.
 */
export function keptBy(actor: Actor, url: string, known: StoredConfig): StoredConfig | undefined {
  if (actor.role === 'RETAILER' || isMasked(url)) return known
  const isSame = known.url === url && known.sealedUrl === undefined
  return isSame || destinationKindOf(known.url) !== 'web' ? known : undefined
}

/** Returns an address and what opens it, with its secrets decrypted. @throws FileError `credentials-unreadable` */
export const openDestination = (
  deps: Deps,
  { config, retailerId, mergedFileId }: SentFileIds & Pick<DestinationRow, 'config'>,
) =>
  openConfig(deps, config, {
    owner: destinationOwner({ retailerId, mergedFileId }),
    told: { of: 'destination', log: { retailerId, mergedFileId } },
  })

/**
 * An address as a viewer sees it: whole for those of the retailer who may change it. For others one that may contain a
 * secret is masked.
 */
export function showDestinationConfig(
  { secrets }: Pick<Deps, 'secrets'>,
  { config, ...of }: SentFileIds & Pick<DestinationRow, 'config'>,
  viewer: Actor,
) {
  const { auth, transfer, url, sealedUrl } = config
  const isOwner = viewer.role === 'RETAILER' && !isViewed(viewer) && may(viewer, 'addresses')
  const masked = sealedUrl ? maskAddress(url) : url
  const owner = configAddressOwner(destinationOwner(of))
  return {
    url: isOwner ? showAddress(secrets, config, owner) : masked,
    auth: maskAuth(auth),
    ...(transfer && { transfer }),
  }
}
