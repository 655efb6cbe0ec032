import { AUTOMATIC_READING } from '../../../../shared/automatic-reading'
import {
  type Overlay,
  type OverlayInput,
  OVERLAY_OR_UPDATES,
} from '../../../../shared/schemas/overlay'
import type { Transfer } from '../../../../shared/schemas/transfer'
import type { ConnectionRow } from '../../../db/schema'
import type { StoredOverlay } from '../../../db/stored-json'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { hasAddress } from '../../../domain/source-host'
import type { UrlSource } from '../../../files/sources/url-source'
import type { SecretBox } from '../../../secrets/secret-box'
import { openSource } from './open-source'
import { showSourceAddress, sourceOwner } from './source-address'
import { maskAuth, toSourceConfig, toStoredConfig } from './source-config'

type Owner = Pick<ConnectionRow, 'supplierId'>

/**
 * Returns the overlay to store, with its secrets encrypted; undefined: what is stored stays.
 * @throws DomainError INVALID as for the source
 */
export function changeOverlay(
  secrets: SecretBox,
  { supplierId }: Owner,
  known: StoredOverlay | null,
  input: OverlayInput | null | undefined,
): StoredOverlay | null {
  if (!input) return input === undefined ? known : null
  const { url, auth, transfer, reading = known?.reading ?? AUTOMATIC_READING, ...choices } = input
  const owner = sourceOwner(supplierId, 'overlay')
  const stored = { owner, known: known ?? undefined, fieldPrefix: 'overlay.' } as const
  const config = toSourceConfig(secrets, { url, auth, transfer }, stored)
  return { ...toStoredConfig(config), ...choices, reading }
}

const PATTERN_OR_UPDATES =
  'Of the files that fit a name with a * only the newest is read: files that have only what has changed need a name without one'

const JOINED_STAYS =
  'A file that is joined with that of a second address has to stay at its server: both are read again as soon as one changes'

const isLeft = ({ afterReading }: Transfer) => afterReading.action === 'leave'

/** @throws DomainError INVALID for settings of a connection that cannot be used together */
export function requireCompatible({
  config,
  updates,
  overlay,
}: Pick<ConnectionRow, 'config' | 'overlay'> & { updates: object | null | undefined }): void {
  if (updates && config.transfer?.hasPattern) {
    throw new DomainError('INVALID', PATTERN_OR_UPDATES, { field: 'config.url' })
  }
  if (!overlay) return
  const tidied = [config, overlay].some(({ transfer }) => transfer && !isLeft(transfer))
  if (tidied)
    throw new DomainError('INVALID', JOINED_STAYS, { field: 'config.transfer.afterReading' })
  const problem = !hasAddress({ config })
    ? 'A second address needs a first one: enter it, or remove the second'
    : updates && OVERLAY_OR_UPDATES
  if (problem) throw new DomainError('INVALID', problem, { field: 'overlay' })
}

/** How a reader is to read and join an overlay. */
export const toJoinTask = ({ reading, onlyInOverlay, onlyInFile }: StoredOverlay) => ({
  reading,
  choices: { onlyInOverlay, onlyInFile },
})

/** What is needed to fetch an overlay: as `openSource`. */
export const openOverlay = (deps: Deps, { supplierId }: Owner, overlay: StoredOverlay): UrlSource =>
  openSource(deps, { supplierId, config: { type: 'URL', ...overlay }, part: 'overlay' })

/** An overlay for the API, as the viewer sees it. */
export function showOverlay(
  { secrets }: Deps,
  { supplierId }: Owner,
  overlay: StoredOverlay,
  viewer: Actor | null,
): Overlay {
  const { auth, transfer, reading, onlyInOverlay, onlyInFile } = overlay
  const source = { supplierId, config: overlay, part: 'overlay' } as const
  const url = showSourceAddress(secrets, source, viewer)
  const choices = { reading, onlyInOverlay, onlyInFile }
  return { url, auth: maskAuth(auth), ...(transfer && { transfer }), ...choices }
}
