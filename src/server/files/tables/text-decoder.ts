import { isAscii, isUtf8 } from 'node:buffer'

import type { FileError } from '../file-error'
import { createCharsetDecoder } from '../read/encoding/charsets'
import { notUtf8, toChosenEncoding } from '../read/encoding/chosen-encoding'

type Damaged = (why: string) => FileError

/**
 * Decodes a document piece by piece.
 * @param encodingOf finds the name of its encoding in its first bytes
 * @param damaged makes the error for bytes that are not in this encoding
 * @param tell told what is not as the document declares it
 */
export function createTextDecoder(
  encodingOf: (head: Buffer) => string,
  damaged: Damaged,
  tell: (note: string) => void = () => undefined,
): (bytes: Buffer) => string {
  return createLateDecoder((head) => chooseDecoder(encodingOf(head), damaged, tell))
}

/**
 * Decodes a document in the encoding that the supplier chose, whatever it declares.
 * @throws FileError `wrong-choice` when it cannot be in that encoding
 */
export function createChosenDecoder(encoding: string): (bytes: Buffer) => string {
  return createLateDecoder((head) => {
    const { name } = toChosenEncoding(encoding, head)
    if (name === 'utf-8') return createUtf8Decoder(() => notUtf8())
    const decoder = createCharsetDecoder(name)
    return (bytes) => decoder.write(bytes)
  })
}

function createLateDecoder(
  choose: (head: Buffer) => (bytes: Buffer) => string,
): (bytes: Buffer) => string {
  let decode: ((bytes: Buffer) => string) | undefined
  return (bytes) => {
    decode ??= choose(bytes)
    return decode(bytes)
  }
}

/** UTF-16 is known by its byte order mark, or by the zeros of the first character, which is ASCII. */
export function findUtf16(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = head
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
    ? 'utf-16be'
    : undefined
}

function chooseDecoder(
  encoding: string,
  damaged: Damaged,
  tell: (note: string) => void,
): (bytes: Buffer) => string {
  if (encoding === 'utf-8') return createUtf8Decoder(damaged)
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(encoding, { fatal: true })
  } catch {
    throw damaged(`its encoding ${encoding} is not known`)
  }
  const otherEncoding = () => damaged(`it is not in the encoding ${encoding}, which it declares`)
  const decode = (bytes: Buffer) => {
    try {
      return decoder.decode(bytes, { stream: true })
    } catch {
      throw otherEncoding()
    }
  }
  const isSingle = SINGLE_BYTES.test(decoder.encoding)
  if (!isSingle && !SEVERAL_BYTES.test(decoder.encoding)) return decode
  return createLegacyDecoder(decode, {
    utf8: createUtf8Decoder(damaged),
    otherEncoding,
    encoding,
    isSingle,
    tell,
  })
}

/** Encodings with a character for each byte, which are right for anything. */
const SINGLE_BYTES = /^(?:iso-8859|windows-|koi8|macintosh|x-mac|ibm)/
/** Those with one or two, which are right for much that is none; a few characters may be UTF-8 by chance. */
const SEVERAL_BYTES = /^(?:gbk|gb18030|big5|euc-|shift_jis)/
const LEAST_BYTES = 12
/** Control characters that no text has: another encoding has letters there. */
const CONTROLS = /[\u0080-\u0084\u0086-\u009f]/

/** What decoders make of characters that only some forms of an encoding have. */
const PRIVATE = /[\ue000-\uf8ff]/

interface OtherDecoding {
  utf8: (bytes: Buffer) => string
  otherEncoding: () => FileError
  encoding: string
  /** Whether each byte is a character. */
  isSingle: boolean
  tell: (note: string) => void
}

/**
 * Many documents declare such an encoding and are in UTF-8, because only one of the two was changed. Texts in another
 * encoding are not UTF-8 by chance, so the first ones that are not ASCII decide.
 */
function createLegacyDecoder(
  decode: (bytes: Buffer) => string,
  { utf8, otherEncoding, encoding, isSingle, tell }: OtherDecoding,
): (bytes: Buffer) => string {
  let isUtf8Text: boolean | undefined
  return (bytes) => {
    if (isUtf8Text === undefined && !isAscii(bytes)) {
      const whole = bytes.subarray(0, bytes.length - unfinishedBytes(bytes))
      isUtf8Text = isUtf8(whole) && countOthers(whole) >= (isSingle ? 1 : LEAST_BYTES)
      if (isUtf8Text) {
        tell(`The file says that its encoding is ${encoding}, but it is in UTF-8, and was read so.`)
      }
    }
    if (isUtf8Text) return utf8(bytes)
    const text = decode(bytes)
    if (isSingle && CONTROLS.test(text)) throw otherEncoding()
    if (!isSingle && PRIVATE.test(text)) {
      tell(`The file has characters that are not the same in all forms of ${encoding}: use UTF-8.`)
    }
    return text
  }
}

export const NOT_UTF8 = 'it has bytes that are not UTF-8'

/** Faster than `TextDecoder`, which is slow with `stream`. */
function createUtf8Decoder(damaged: Damaged): (bytes: Buffer) => string {
  let rest = Buffer.alloc(0)
  return (bytes) => {
    const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
    const end = all.length - unfinishedBytes(all)
    rest = Buffer.from(all.subarray(end))
    const whole = all.subarray(0, end)
    if (!isUtf8(whole)) throw damaged(NOT_UTF8)
    return whole.toString('utf8')
  }
}

function countOthers(bytes: Buffer): number {
  let count = 0
  for (const byte of bytes) if (byte >= 0x80) count++
  return count
}

/** How many bytes at the end begin a character that is continued in the next chunk. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return back < needed ? back : 0
    }
  }
  return 0
}
