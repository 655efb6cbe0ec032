import { isAscii, isUtf8 } from 'node:buffer'

import { encodingLabel } from '../../../../shared/encodings'
import { createCharsetEvidence } from './charset-evidence'
import { findDeclaredCharset, guessCharset } from './charset-guess'
import { decodeText } from './charsets'
import { createEscapeDetector } from './iso-2022'
import { isAsciiWord } from './single-byte'

/** How to decode the bytes of a source. */
export interface Encoding {
  /** As in `shared/encodings`. */
  name: string
  /** Bytes of the byte order mark, which may be repeated; 0 without one. */
  bomLength: number
  /** Whether UTF-8 and Windows-1252 are mixed; the name is that of the greater part. */
  hasStrayBytes: boolean
  /** Whether the supplier chose it: bytes that are not in it are refused then. */
  isChosen?: boolean
  /** What the supplier is told of a guess, or of a change; absent when there is nothing to check. */
  note?: string
}

/** What is known of a source besides its bytes. */
export interface EncodingHints {
  /** The charset that the server declares, in lower case. */
  declared: string | null
  /** The encoding of the file before. */
  previous: string | null
  /** The charset that the file itself declares. */
  document?: string | null
}

/** This many valid multi-byte characters prove UTF-8; they need not be counted further. */
const PROOF_OF_UTF8 = 100_000

const BYTE_ORDER_MARKS: [string, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** The byte order mark at the beginning of a source. */
export function findByteOrderMark(head: Uint8Array): Encoding | undefined {
  for (const [name, mark] of BYTE_ORDER_MARKS) {
    let bomLength = 0
    // Programs that add a byte order mark without checking write a second one.
    while (mark.every((byte, index) => head[bomLength + index] === byte)) bomLength += mark.length
    if (bomLength > 0) return { name, bomLength, hasStrayBytes: false }
  }
  return undefined
}

/** Detects a byte order mark, or the zero bytes of UTF-16, in the first chunk. */
export function detectUnicodeHead(head: Uint8Array): Encoding | undefined {
  const marked = findByteOrderMark(head)
  if (marked) return marked
  // ASCII characters in UTF-16 have one zero byte each, always at even or always at odd positions.
  let even = 0
  let odd = 0
  for (let at = head.indexOf(0); at >= 0; at = head.indexOf(0, at + 1)) {
    if (at % 2 === 0) even++
    else odd++
  }
  const enough = Math.max(1, head.length / 40)
  if (odd >= enough && even < odd / 10) return unicode('utf-16le')
  if (even >= enough && odd < even / 10) return unicode('utf-16be')
  return undefined
}

function unicode(name: string): Encoding {
  return { name, bomLength: 0, hasStrayBytes: false }
}

/** Inspects all bytes of a source: the first non-ASCII one may come after a hundred megabytes. */
export interface EncodingDetector {
  push(chunk: Uint8Array): void
  /** Whether all bytes so far are valid UTF-8, or the beginning of a character at the end of them. */
  isUtf8(): boolean
  /** The encoding that fits all bytes so far. @param isWhole whether no more bytes follow */
  detect(isWhole: boolean): Promise<Encoding>
}

export function createEncodingDetector(hints?: EncodingHints): EncodingDetector {
  let head: Encoding | undefined
  let isFirst = true
  let pending: Uint8Array = new Uint8Array(0)
  let characters = 0
  let latinCharacters = 0
  let strayBytes = 0
  const evidence = createCharsetEvidence()
  const escapes = createEscapeDetector()
  let guess: { cellCount: number; name: string } | undefined

  const countBytes = (bytes: Uint8Array) => {
    if (isAscii(bytes) || (characters >= PROOF_OF_UTF8 && isUtf8(bytes))) return
    const found = countSequences(bytes)
    characters += found.characters
    latinCharacters += found.latinCharacters
    strayBytes += found.strayBytes
    if (found.strayBytes > 0) evidence.add(bytes)
  }

  return {
    push(chunk) {
      if (chunk.length === 0) return
      if (isFirst) head = detectUnicodeHead(chunk)
      isFirst = false
      if (head && head.name !== 'utf-8') return
      escapes.push(chunk)
      if (pending.length === 0 && isAscii(chunk)) return
      const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const end = bytes.length - incompleteTailLength(bytes)
      pending = Uint8Array.prototype.slice.call(bytes, end)
      countBytes(bytes.subarray(0, end))
    },
    isUtf8: () =>
      (head === undefined || head.name === 'utf-8') &&
      strayBytes === 0 &&
      escapes.charset() === undefined,
    async detect(isWhole) {
      if (head && head.name !== 'utf-8') return head
      if (isWhole) {
        countBytes(pending)
        pending = new Uint8Array(0)
      }
      const base = head ?? unicode('utf-8')
      const escaped = characters + strayBytes === 0 ? escapes.charset() : undefined
      if (!head && escaped !== undefined) return withChange(unicode(escaped), hints)
      if (strayBytes === 0) return characters > 0 ? withChange(base, hints) : base
      if (head || characters >= Math.min(strayBytes, PROOF_OF_UTF8))
        return { ...base, hasStrayBytes: true }
      const cells = evidence.cells(isWhole)
      const declared =
        findDeclaredCharset(hints?.document, cells, true) ??
        findDeclaredCharset(hints?.declared, cells)
      if (declared !== undefined) return withChange(unicode(declared), hints)
      // Cells are only ever added: the same number of them gives the same guess.
      if (guess?.cellCount !== cells.length) {
        guess = { cellCount: cells.length, name: await guessCharset(cells, hints?.previous) }
      }
      const { name } = guess
      // Other charsets have letters for these bytes, and Windows-1252 has nothing that makes sense.
      const isMixed = name === 'windows-1252' && characters > 0 && latinCharacters === characters
      const note = describeGuess(name, cells) + (isMixed ? ' Some cells are UTF-8.' : '')
      return withChange({ ...unicode(name), hasStrayBytes: isMixed, note }, hints)
    },
  }
}

/** The number of bytes at the end that begin an incomplete UTF-8 character. */
export function incompleteTailLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0
  }
  return 0
}

function sequenceLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  if (lead >= 0xe0 && lead <= 0xef) return 3
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 1
}

/** Whether a character begins like U+00A0 to U+017F, or like the dashes, quotes and signs from U+2000 on. */
function isLatin(lead: number, second: number): boolean {
  return (lead >= 0xc2 && lead <= 0xc5) || (lead === 0xe2 && second >= 0x80 && second <= 0x84)
}

/**
 * The length in bytes of the valid UTF-8 character at `index`; 0 if there is none. Follows table 3-7
 * of the Unicode standard, "Well-Formed UTF-8 Byte Sequences".
 */
export function validSequenceLength(bytes: Uint8Array, index: number): number {
  const lead = bytes[index] ?? 0
  if (lead < 0x80) return 1
  const length = sequenceLength(lead)
  if (length === 1) return 0
  const second = bytes[index + 1] ?? 0
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  if (second < lowest || second > highest) return 0
  for (let offset = 2; offset < length; offset++) {
    if (((bytes[index + offset] ?? 0) & 0xc0) !== 0x80) return 0
  }
  return length
}

/** Counts valid multi-byte characters, those of them that Western text has, and invalid bytes. */
function countSequences(bytes: Uint8Array) {
  const isValid = isUtf8(bytes)
  let characters = 0
  let latinCharacters = 0
  let strayBytes = 0
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let index = 0; index < bytes.length;) {
    const byte = bytes[index] ?? 0
    if (byte < 0x80) {
      index += index + 4 <= bytes.length && isAsciiWord(view, index) ? 4 : 1
      continue
    }
    const length = isValid ? sequenceLength(byte) : validSequenceLength(bytes, index)
    if (length === 0) strayBytes++
    else {
      characters++
      if (isLatin(byte, bytes[index + 1] ?? 0)) latinCharacters++
    }
    index += Math.max(length, 1)
  }
  return { characters, latinCharacters, strayBytes }
}

/**
 * Adds a note when the file before was read in another charset: a source seldom changes it. UTF-8 does
 * not count, because a file of plain ASCII is stored as UTF-8 too.
 */
function withChange(encoding: Encoding, hints: EncodingHints | undefined): Encoding {
  const previous = hints?.previous ?? 'utf-8'
  if (previous === 'utf-8' || previous === encoding.name) return encoding
  const { note = `Read as ${encodingLabel(encoding.name)}.` } = encoding
  return { ...encoding, note: `${note} The file before was read as ${encodingLabel(previous)}.` }
}

const SHOWN_CELLS = 3
const SHOWN_CHARACTERS = 6
const SHOWN_CELL_LENGTH = 40

/** What to check after a guess: "Read as Windows-1250: check that Š á Č look right, as in “Šála”." */
function describeGuess(name: string, cells: readonly Uint8Array[]): string {
  const texts = cells
    .map((cell) => decodeText(name, cell).trim())
    .toSorted((one, other) => foreignCharacters(other).size - foreignCharacters(one).size)
  const characters = [...foreignCharacters(texts.join(''))].slice(0, SHOWN_CHARACTERS)
  const examples = texts.slice(0, SHOWN_CELLS).map((text) => `“${shorten(text)}”`)
  return (
    `Read as ${encodingLabel(name)}: check that ${characters.join(' ')} look right, ` +
    `as in ${examples.join(', ')}.`
  )
}

const foreignCharacters = (text: string) => new Set(text.match(/[^\0-\u{9F}]/gu))

/** The part of a cell around its first non-ASCII character. */
function shorten(text: string): string {
  const at = text.search(/[^\0-\u{9F}]/u)
  const start = Math.max(0, at - SHOWN_CELL_LENGTH / 2)
  return text.slice(start, start + SHOWN_CELL_LENGTH).toWellFormed()
}
