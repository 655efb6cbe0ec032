import { isAscii, isUtf8 } from 'node:buffer'

import chardet from 'chardet'
import iconv from 'iconv-lite'

import { scoreLatinText } from './letter-frequencies'

/** How the bytes of a source become text. */
export interface Encoding {
  /** IANA name in lower case. */
  name: string
  /** Bytes before the text: the byte order mark. */
  bomLength: number
  /** UTF-8 with some bytes that are none: those are read as Windows-1252. */
  hasStrayBytes: boolean
}

/** Enough words to judge by; more would only cost time. */
const MAX_SAMPLE_BYTES = 32 * 1024

/** So many characters of several bytes never come about by chance; no need to count on. */
const PROOF_OF_UTF8 = 100_000

const BYTE_ORDER_MARKS: [string, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Charsets that are taken from chardet when the text is in neither Latin nor Cyrillic letters. */
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

/** What shows at the head alone: a byte order mark, or the zero bytes of UTF-16. */
function detectUnicodeHead(head: Uint8Array): Encoding | undefined {
  for (const [name, mark] of BYTE_ORDER_MARKS) {
    let bomLength = 0
    // Programs that add one without looking make two of it.
    while (mark.every((byte, index) => head[bomLength + index] === byte)) bomLength += mark.length
    if (bomLength > 0) return { name, bomLength, hasStrayBytes: false }
  }
  const zeros = [0, 0]
  for (const [index, byte] of head.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  }
  // Delimiters, digits and line ends alone give a tenth; one side has next to none.
  const [even = 0, odd = 0] = zeros
  const enough = Math.max(1, head.length / 40)
  if (odd >= enough && even < odd / 10) return unicode('utf-16le')
  if (even >= enough && odd < even / 10) return unicode('utf-16be')
  return undefined
}

function unicode(name: string): Encoding {
  return { name, bomLength: 0, hasStrayBytes: false }
}

/** Watches all bytes of a source, because the first accent may come after a hundred megabytes. */
export interface EncodingDetector {
  push(chunk: Uint8Array): void
  /** Whether everything so far can be UTF-8, but for a character that the last chunk cuts. */
  isUtf8(): boolean
  /** The encoding that explains all bytes seen. @param isWhole nothing follows */
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

/** How many bytes at the end begin a UTF-8 character that is not complete. */
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
 * The length of the valid UTF-8 character at `index`; 0 where a byte is none. Follows the table
 * of well-formed byte sequences in the Unicode standard (3-7).
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

/** Keeps the lines that have non-ASCII bytes, shortened to what is around those. */
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

/** The charset of bytes that are not UTF-8, judged by words around the accented letters. */
export function guessCharset(sample: Uint8Array): string {
  const bytes = Buffer.from(sample)
  if (isOtherScript(bytes)) {
    const cyrillic = guessCyrillic(bytes)
    if (cyrillic !== undefined) return cyrillic
    const match = chardet.analyse(bytes).find(({ name }) => OTHER_SCRIPTS.has(name))
    if (match && match.confidence >= 20) return match.name.toLowerCase()
  }
  const candidates: [string, number][] = [
    // On a tie the earlier one: it is the more common, and the bytes mean the same in both.
    ['windows-1252', scoreLatinText(iconv.decode(bytes, 'windows-1252'), 'western')],
    ['windows-1250', scoreLatinText(iconv.decode(bytes, 'windows-1250'), 'central')],
    ['iso-8859-2', scoreLatinText(iconv.decode(bytes, 'iso-8859-2'), 'central')],
  ]
  return candidates.reduce((best, next) => (next[1] > best[1] + 1e-9 ? next : best))[0]
}

/** The letters of most Russian, Ukrainian and Bulgarian text; in a wrong charset few come up. */
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

/** In Latin scripts accented letters stand alone or in pairs; elsewhere whole words are of them. */
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
