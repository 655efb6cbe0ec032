import type { PreviewSourceInput } from '../../../shared/schemas/connection'
import type { TransferInput } from '../../../shared/schemas/transfer'
import { withConfirmed } from '../../lib/confirmed-keys'
import type { ShownPartKey } from './source-preview-failure'
import type { PreviewedSource } from './use-source-preview'

/** The keys by which the server of one of the addresses is known. */
export interface ConfirmedKeys {
  part: 'config' | 'overlay'
  hostKeys: string[]
}

/** Those of a source that is previewed. */
export function keysOf(source: PreviewedSource, part: ConfirmedKeys['part']): string[] {
  if ('file' in source) return []
  const { transfer } = part === 'config' ? source : (source.overlay ?? {})
  return transfer?.hostKeys ?? []
}

/** Adds the key that a server has shown. */
export const confirmKey = (source: PreviewedSource, shown: ShownPartKey): ConfirmedKeys => ({
  part: shown.part,
  hostKeys: withConfirmed(keysOf(source, shown.part), shown),
})

/** A source with other settings of one of its addresses. */
export function withTransfer(
  source: PreviewSourceInput,
  part: ConfirmedKeys['part'],
  transfer: TransferInput,
): PreviewSourceInput {
  if (part === 'config') return { ...source, transfer }
  return source.overlay ? { ...source, overlay: { ...source.overlay, transfer } } : source
}
