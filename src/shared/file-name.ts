import { decodePercent } from './percent-encoding'
import { UNSAFE_CHARACTERS } from './web-address'

const MAX_NAME_CHARACTERS = 200
/** Longer headers and names are not looked at. */
const MAX_HEADER_CHARACTERS = 4_000

/** The last part of the name that others give to a file, without what could disguise it; empty without one. */
export function toFileName(whole: string): string {
  const [last = ''] = whole.slice(0, MAX_HEADER_CHARACTERS).split(/[/\\]/).toReversed()
  const safe = last.replaceAll(new RegExp(UNSAFE_CHARACTERS, 'gu'), '').toWellFormed().trim()
  return Array.from(safe).slice(0, MAX_NAME_CHARACTERS).join('').trim()
}

const EXTENDED_NAME = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i
const QUOTED_NAME = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i
const PLAIN_NAME = /;\s*filename\s*=\s*([^;"\s]+)/i

/** The file name of a `Content-Disposition`, after RFC 6266. */
export function readDispositionName(header: string | undefined): string | undefined {
  const text = header?.slice(0, MAX_HEADER_CHARACTERS)
  if (text === undefined) return undefined
  const extended = EXTENDED_NAME.exec(text)?.[1]
  const decoded = extended === undefined ? undefined : decodePercent(extended)
  return (
    decoded ?? QUOTED_NAME.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? PLAIN_NAME.exec(text)?.[1]
  )
}

/** The name of the file at an address; empty for an address without one. */
export function nameOfAddress({ pathname }: URL): string {
  return toFileName(decodePercent(pathname) ?? pathname)
}
