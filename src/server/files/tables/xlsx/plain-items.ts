import { isUtf8 } from 'node:buffer'

import { MAX_CELL_CHARACTERS } from '../workbook'
import { findEncoding } from '../xml-parser'
import { unescapeText } from './escapes'
import type { PackedTexts } from './packed-texts'

/** Finds shared texts that are written in the plainest way, as nearly all are: parsing them would take ten times as long. */
export interface PlainItems {
  /** Where the first item may begin. */
  start: number
  /** The end tag of any item. */
  endTag: Buffer
  /** Adds the plain items that follow each other from here on, and returns where they end. */
  add(bytes: Buffer, from: number, texts: PackedTexts): number
}

/** The root, which nothing precedes but the declaration. */
const HEAD = /^(?:\u00EF\u00BB\u00BF)?(?:<\?xml ([^<>]*)\?>\s*)?<(?:([\w.-]+):)?sst[\s>]/
const MAX_HEAD_BYTES = 500

/** @returns undefined for a part in another encoding, or with anything unusual before its root */
export function findPlainItems(head: Buffer): PlainItems | undefined {
  const found = HEAD.exec(head.toString('latin1', 0, MAX_HEAD_BYTES))
  if (!found || findEncoding(head) !== 'utf-8') return undefined
  const [{ length: start }, declaration = '', name] = found
  // The other version has other line ends.
  if (declaration.includes('1.1')) return undefined
  const prefix = name === undefined ? '' : `${name}:`
  const openings = ['', ' xml:space="preserve"'].map((attribute) =>
    Buffer.from(`<${prefix}si><${prefix}t${attribute}>`),
  )
  const endTag = Buffer.from(`</${prefix}si>`)
  const closing = Buffer.concat([Buffer.from(`</${prefix}t>`), endTag])
  return {
    start,
    endTag,
    add(bytes, from, texts) {
      for (let at = from; ;) {
        const opening = openings.find((tags) => startsWith(bytes, at, tags))
        if (!opening) return at
        const textStart = at + opening.length
        let kinds = 0
        let end = textStart
        for (; end < bytes.length; end++) {
          const kind = KINDS[bytes[end] as number] as number
          if (kind === NO_TEXT) break
          kinds |= kind
        }
        if (end - textStart > MAX_CELL_CHARACTERS || !startsWith(bytes, end, closing)) return at
        if ((kinds & NO_ASCII) !== 0 && !isUtf8(bytes.subarray(textStart, end))) return at
        if ((kinds & NO_CELL) === 0) texts.addBytes(bytes, textStart, end)
        else texts.add(unescapeText(bytes.toString('utf8', textStart, end), null))
        at = end + closing.length
      }
    },
  }
}

function startsWith(bytes: Buffer, at: number, wanted: Buffer): boolean {
  if (at + wanted.length > bytes.length) return false
  for (let index = 0; index < wanted.length; index++) {
    if (bytes[at + index] !== wanted[index]) return false
  }
  return true
}

/** What stands otherwise in a cell of a CSV file, or may be an escape. */
const NO_CELL = 1
const NO_ASCII = 2
/** Markup, what the parser replaces or refuses, and the first byte of characters that it refuses. */
const NO_TEXT = 4

const KINDS = new Uint8Array(256)
KINDS.fill(NO_TEXT, 0, 0x20)
KINDS.fill(NO_ASCII, 0x80)
for (const character of '<>&') KINDS[character.charCodeAt(0)] = NO_TEXT
for (const character of '",\n_') KINDS[character.charCodeAt(0)] = NO_CELL
KINDS['\t'.charCodeAt(0)] = 0
KINDS[0xef] = NO_TEXT
