import { readHostKey } from '../../../shared/host-key'
import type { PreviewSourceInput } from '../../../shared/schemas/connection'
import type { TransferInput } from '../../../shared/schemas/transfer'
import type { ShownHostKey } from './source-preview-failure'
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

/** Adds the key that a server has shown; a changed one takes the place of those of its kind. */
export function confirmKey(source: PreviewedSource, shown: ShownHostKey): ConfirmedKeys {
  const { part, hostKey, isChanged } = shown
  const { type } = readHostKey(hostKey) ?? {}
  const kept = keysOf(source, part).filter((text) => !isChanged || typeOf(text) !== type)
  return { part, hostKeys: [...kept, hostKey] }
}

/** A fingerprint without its kind may be of any. */
const typeOf = (text: string) => readHostKey(text)?.type

/** A source with other settings of one of its addresses. */
export function withTransfer(
  source: PreviewSourceInput,
  part: ConfirmedKeys['part'],
  transfer: TransferInput,
): PreviewSourceInput {
  if (part === 'config') return { ...source, transfer }
  return source.overlay ? { ...source, overlay: { ...source.overlay, transfer } } : source
}
