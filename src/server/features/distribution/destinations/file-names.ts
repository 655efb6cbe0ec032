import { timestampAt } from '../../../domain/times-of-day'

const EXTENSION = /\.[A-Za-z\d]{1,8}$/
/** What no server takes for anything but a name. */
const OTHER = /[^\p{L}\p{N}_-]+/gu
const MAX_SUPPLIER_CHARACTERS = 60
/** Of UTF-8, without the extension: file systems take 255, of which a name has a few more while it is written. */
const MAX_STEM_BYTES = 180

type Facts = {
  supplierName: string
  versionId: number
  /** Unix milliseconds, told by the clocks of this time zone. */
  at: number
  timeZone: string
  /** Of the format. */
  extension: string
}

/**
 * The name under which a file is sent: what people entered, with its places in braces filled in, and cut to what file
 * systems take.
 */
export function toSentName(entered: string, facts: Facts): string {
  const { supplierName, versionId, at, timeZone, extension } = facts
  const places: Record<string, () => string> = {
    supplier: () => toSafeName(supplierName),
    time: () => timestampAt(at, timeZone),
    version: () => String(versionId),
  }
  const [entry = ''] = EXTENSION.exec(entered) ?? []
  const stem = entered.slice(0, entered.length - entry.length)
  const name = stem.replaceAll(/\{(\w+)\}/g, (whole, place: string) => places[place]?.() ?? whole)
  return `${cut(name)}${entry || `.${extension}`}`
}

/** At a whole character. */
function cut(stem: string): string {
  let bytes = 0
  const kept = Array.from(stem).filter((one) => (bytes += Buffer.byteLength(one)) <= MAX_STEM_BYTES)
  return kept.join('')
}

function toSafeName(name: string): string {
  const safe = name
    .normalize('NFC')
    .replaceAll(OTHER, '-')
    .replaceAll(/^-{1,200}|-{1,200}$/g, '')
  return Array.from(safe).slice(0, MAX_SUPPLIER_CHARACTERS).join('') || 'supplier'
}
