import { createByteFinder } from './byte-finder'
import type { ScanOptions } from './scan'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
export const BACKSLASH = 0x5c
const SPACE = 0x20
const DOUBLE_QUOTE = 0x22

export type DialectBytes = ReturnType<typeof listBytes>

/** Which bytes matter in a dialect, and where. */
export function listBytes({ delimiter, quoting }: Pick<ScanOptions, 'delimiter' | 'quoting'>) {
  const DELIMITER = delimiter.charCodeAt(0)
  const QUOTE =
    quoting === 'backslashed' ? BACKSLASH : (quoting === 'single' ? "'" : '"').charCodeAt(0)
  const plainEnds = [DELIMITER, LINE_FEED, CARRIAGE_RETURN]
  if (quoting !== 'relaxed' && quoting !== 'none' && quoting !== 'single') plainEnds.push(QUOTE)
  const quotedEnds = [QUOTE, LINE_FEED, CARRIAGE_RETURN]
  if (quoting === 'escaped') quotedEnds.push(BACKSLASH)
  const escapable = [BACKSLASH, DELIMITER, DOUBLE_QUOTE, LINE_FEED, CARRIAGE_RETURN]
  const isSingle = quoting === 'single'
  return {
    isSingle,
    isBackslashed: quoting === 'backslashed',
    hasQuotes: quoting !== 'none' && quoting !== 'backslashed',
    mayHaveSpaces: quoting === 'spaced' || isSingle,
    DELIMITER,
    /** A backslash where it has the part of quotes. */
    QUOTE,
    /** What a backslash makes part of a cell. */
    isEscapable: toTable(quoting === 'escaped' ? [BACKSLASH, QUOTE] : escapable),
    endsPlainRun: toTable(plainEnds),
    endsQuotedRun: toTable(quotedEnds),
    /** Finds the bytes of both tables. */
    findMarks: createByteFinder([...new Set([...plainEnds, ...quotedEnds])]),
  }
}

function toTable(bytes: readonly number[]): Uint8Array {
  const table = new Uint8Array(256)
  for (const byte of bytes) table[byte] = 1
  return table
}

/** Where the line goes on after the CR or LF at `at`; -1 if the byte after a CR has not arrived yet. */
export function endOfLine(bytes: Buffer, at: number, length: number, isEnd: boolean): number {
  if (bytes[at] === LINE_FEED) return at + 1
  if (at + 1 >= length) return isEnd ? at + 1 : -1
  return bytes[at + 1] === LINE_FEED ? at + 2 : at + 1
}

export function skipSpaces(bytes: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && bytes[at] === SPACE) at++
  return at
}

export function isLineEnd(byte: number | undefined): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN
}

/**
 * Where a cell goes on after the backslash at `at`: behind the next byte if it is one of the table, a line
 * end with two bytes included; -1 if that has not arrived yet.
 */
export function afterBackslash(
  bytes: Buffer,
  at: number,
  isEscapable: Uint8Array,
  { length, isEnd }: { length: number; isEnd: boolean },
): number {
  const next = at + 1
  if (next >= length) return isEnd ? next : -1
  const byte = bytes[next] as number
  if (isEscapable[byte] === 0) return next
  return isLineEnd(byte) ? endOfLine(bytes, next, length, isEnd) : next + 1
}

/** Removes each backslash before a byte of the table; returns the new end. */
export function removeEscapes(
  bytes: Buffer,
  start: number,
  end: number,
  isEscapable: Uint8Array,
): number {
  let to = start
  for (let from = start; from < end; from++) {
    const isEscape = bytes[from] === BACKSLASH && isEscapable[bytes[from + 1] as number] === 1
    if (isEscape && from + 1 < end) from++
    bytes[to++] = bytes[from] as number
  }
  return to
}

/** Makes each doubled quote one, so that nobody else need know of these quotes; returns the new end. */
export function mergeDoubled(bytes: Buffer, start: number, end: number, quote: number): number {
  let to = start
  for (let from = start; from < end; from++) {
    bytes[to++] = bytes[from] as number
    if (bytes[from] === quote) from++
  }
  return to
}
