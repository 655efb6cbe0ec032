import type { Connection, ConnectionFormValues } from '../../../shared/schemas/connection'
import { startAuth, toCurrentAuth, toTransferInput } from '../../lib/source-access'

/** What the form has of a second address; without an address there is none. */
export type OverlayValues = NonNullable<ConnectionFormValues['overlay']>

/** What a form begins with. */
export function startOverlay(connection: Connection | null): OverlayValues {
  const saved = connection?.overlay
  if (saved) return saved
  const auth = startAuth('none', null)
  return { url: '', auth, onlyInFile: 'keep', onlyInOverlay: 'leave-out' }
}

/** What is to be saved of it: null takes a saved one away. */
export function toOverlayInput(
  overlay: ConnectionFormValues['overlay'],
  connection: Connection | null,
): ConnectionFormValues['overlay'] {
  const saved = connection?.overlay ?? null
  if (!overlay || overlay.url.trim() === '') return saved ? null : undefined
  const transfer = toTransferInput(overlay)
  return { ...overlay, auth: toCurrentAuth(overlay, saved), transfer }
}
