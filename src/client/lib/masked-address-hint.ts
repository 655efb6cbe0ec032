import { isMasked } from '../../shared/masked-address'

/** What to do with a saved address that is not shown whole; undefined for others. */
export function maskedAddressHint(saved: string | undefined): string | undefined {
  if (saved === undefined || !isMasked(saved)) return undefined
  return 'Part of it is hidden. Leave it to keep it, or enter a whole address.'
}
