import { createByteFinder } from './byte-finder'
import type { ScanOptions } from './scan'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
export const BACKSLASH = 0x5c
const SPACE = 0x20

/** Which bytes matter in a dialect, and where. */
export function listBytes({ delimiter, quoting }: Pick<ScanOptions, 'delimiter' | 'quoting'>) {
  const DELIMITER = delimiter.charCodeAt(0)
  const QUOTE = (quoting === 'single' ? "'" : '"').charCodeAt(0)
  const plainEnds = [DELIMITER, LINE_FEED, CARRIAGE_RETURN]
  if (quoting === 'strict' || quoting === 'escaped' || quoting === 'spaced') plainEnds.push(QUOTE)
  const quotedEnds = [QUOTE, LINE_FEED, CARRIAGE_RETURN]
  if (quoting === 'escaped') quotedEnds.push(BACKSLASH)
  return {
    DELIMITER,
    QUOTE,
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

/** Makes each doubled quote one, so that nobody else need know of these quotes; returns the new end. */
export function mergeDoubled(bytes: Buffer, start: number, end: number, quote: number): number {
  let to = start
  for (let from = start; from < end; from++) {
    bytes[to++] = bytes[from] as number
    if (bytes[from] === quote) from++
  }
  return to
}
