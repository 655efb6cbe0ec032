import { NAME_PLACES } from '../../../shared/destinations'

type Place = (typeof NAME_PLACES)[number]

/** How a file would be called that is sent now. */
export function exampleFileName(
  fileName: string,
  { supplier, timeZone, nowMs }: { supplier: string | null; timeZone: string; nowMs: number },
): string {
  const places: Record<Place, string> = {
    supplier:
      (supplier ?? '')
        .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
        .replaceAll(/^-{1,200}|-{1,200}$/g, '') || 'supplier',
    time: digitsOf(nowMs, timeZone),
    version: '1204',
  }
  return NAME_PLACES.reduce((name, place) => name.replaceAll(`{${place}}`, places[place]), fileName)
}

/** `20261127104105` */
function digitsOf(nowMs: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(nowMs)
  return parts.replaceAll(/\D/g, '')
}
