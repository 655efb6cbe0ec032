import { isAscii, isUtf8 } from 'node:buffer'

import chardet from 'chardet'
import iconv from 'iconv-lite'

import { scoreLatinText } from './letter-frequencies'

/** How to decode the bytes of a source. */
export interface Encoding {
  /** IANA name in lower case. */
  name: string
  /** Bytes of the byte order mark, which may be repeated; 0 without one. */
  bomLength: number
  /** Whether UTF-8 has some invalid bytes, which are read as Windows-1252. */
  hasStrayBytes: boolean
}

/** Of the text from which the charset is guessed; more would only cost time. */
const MAX_SAMPLE_BYTES = 32 * 1024

/** This many valid multi-byte characters prove UTF-8; they need not be counted further. */
const PROOF_OF_UTF8 = 100_000

const BYTE_ORDER_MARKS: [string, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** The charsets that chardet may decide on, for text in neither Latin nor Cyrillic letters. */
const OTHER_SCRIPTS = new Set([
  'windows-1253',
  'ISO-8859-7',
  'windows-1255',
  'ISO-8859-8',
  'windows-1256',
  'ISO-8859-6',
  'Shift_JIS',
  'EUC-JP',
  'EUC-KR',
  'GB18030',
  'Big5',
])

/** Detects a byte order mark, or the zero bytes of UTF-16, in the first chunk. */
function detectUnicodeHead(head: Uint8Array): Encoding | undefined {
  for (const [name, mark] of BYTE_ORDER_MARKS) {
    let bomLength = 0
    // Programs that add a byte order mark without checking write a second one.
    while (mark.every((byte, index) => head[bomLength + index] === byte)) bomLength += mark.length
    if (bomLength > 0) return { name, bomLength, hasStrayBytes: false }
  }
  const zeros = [0, 0]
  for (const [index, byte] of head.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  }
  // ASCII characters in UTF-16 have one zero byte each, always at even or always at odd positions.
  const [even = 0, odd = 0] = zeros
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
  detect(isWhole: boolean): Encoding
}

export function createEncodingDetector(): EncodingDetector {
  let head: Encoding | undefined
  let isFirst = true
  let pending: Uint8Array = new Uint8Array(0)
  let characters = 0
  let strayBytes = 0
  const sample = createSample()

  const countBytes = (bytes: Uint8Array) => {
    if (isAscii(bytes) || (characters >= PROOF_OF_UTF8 && isUtf8(bytes))) return
    const found = countSequences(bytes)
    characters += found.characters
    strayBytes += found.strayBytes
    if (found.strayBytes > 0) sample.add(bytes)
  }

  return {
    push(chunk) {
      if (chunk.length === 0) return
      if (isFirst) head = detectUnicodeHead(chunk)
      isFirst = false
      if (head && head.name !== 'utf-8') return
      if (pending.length === 0 && isAscii(chunk)) return
      const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const end = bytes.length - incompleteTailLength(bytes)
      pending = Uint8Array.prototype.slice.call(bytes, end)
      countBytes(bytes.subarray(0, end))
    },
    isUtf8: () => (head === undefined || head.name === 'utf-8') && strayBytes === 0,
    detect(isWhole) {
      if (head && head.name !== 'utf-8') return head
      if (isWhole) {
        countBytes(pending)
        pending = new Uint8Array(0)
      }
      const base = head ?? unicode('utf-8')
      if (strayBytes === 0) return base
      if (head || characters >= Math.min(strayBytes, PROOF_OF_UTF8))
        return { ...base, hasStrayBytes: true }
      return unicode(guessCharset(sample.bytes()))
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

function countSequences(bytes: Uint8Array): { characters: number; strayBytes: number } {
  const isValid = isUtf8(bytes)
  let characters = 0
  let strayBytes = 0
  for (let index = 0; index < bytes.length;) {
    const byte = bytes[index] ?? 0
    if (byte < 0x80) {
      index++
      continue
    }
    const length = isValid ? sequenceLength(byte) : validSequenceLength(bytes, index)
    if (length === 0) strayBytes++
    else characters++
    index += Math.max(length, 1)
  }
  return { characters, strayBytes }
}

/** Collects the non-ASCII bytes, each with at most 24 bytes around it. */
function createSample() {
  const parts: Uint8Array[] = []
  let size = 0
  return {
    add(bytes: Uint8Array) {
      let from = 0
      for (let index = 0; index < bytes.length && size < MAX_SAMPLE_BYTES; index++) {
        if ((bytes[index] ?? 0) < 0x80) continue
        const start = Math.max(from, index - 24)
        let end = index + 1
        while (end < bytes.length && end - index < 24 && bytes[end] !== 0x0a) end++
        parts.push(Uint8Array.prototype.slice.call(bytes, start, end), SPACE)
        size += end - start
        from = end
        index = end - 1
      }
    },
    bytes: () => Buffer.concat(parts),
  }
}

const SPACE = new Uint8Array([0x20])

/** Guesses the charset of bytes that are not UTF-8 from the frequencies of their letters. */
export function guessCharset(sample: Uint8Array): string {
  const bytes = Buffer.from(sample)
  if (isOtherScript(bytes)) {
    const cyrillic = guessCyrillic(bytes)
    if (cyrillic !== undefined) return cyrillic
    const match = chardet.analyse(bytes).find(({ name }) => OTHER_SCRIPTS.has(name))
    if (match && match.confidence >= 20) return match.name.toLowerCase()
  }
  const candidates: [string, number][] = [
    // On a tie the earlier, more common one wins; the bytes usually mean the same in both.
    ['windows-1252', scoreLatinText(iconv.decode(bytes, 'windows-1252'), 'western')],
    ['windows-1250', scoreLatinText(iconv.decode(bytes, 'windows-1250'), 'central')],
    ['iso-8859-2', scoreLatinText(iconv.decode(bytes, 'iso-8859-2'), 'central')],
  ]
  return candidates.reduce((best, next) => (next[1] > best[1] + 1e-9 ? next : best))[0]
}

/** Frequent letters of Russian, Ukrainian and Bulgarian; decoded with a wrong charset, few occur. */
const FREQUENT_CYRILLIC = /[оеаинтсрвлкмдпу]/g

function guessCyrillic(bytes: Buffer): string | undefined {
  const high = bytes.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0)
  const scores = ['windows-1251', 'koi8-r', 'iso-8859-5'].map((charset) => ({
    charset,
    hits: iconv.decode(bytes, charset).match(FREQUENT_CYRILLIC)?.length ?? 0,
  }))
  const best = scores.reduce((a, b) => (b.hits > a.hits ? b : a))
  return best.hits > high * 0.55 ? best.charset : undefined
}

/** In Latin scripts at most two accented letters follow each other; in others whole words do. */
function isOtherScript(bytes: Buffer): boolean {
  let high = 0
  let inRuns = 0
  let run = 0
  for (const byte of bytes) {
    run = byte >= 0x80 ? run + 1 : 0
    if (run > 0) high++
    if (run === LONG_RUN) inRuns += LONG_RUN
    else if (run > LONG_RUN) inRuns++
  }
  return inRuns > high * 0.5
}

const LONG_RUN = 3
