import { isUtf8 } from 'node:buffer'

import type { FileError } from '../file-error'

type Damaged = (why: string) => FileError

/**
 * Decodes a document piece by piece.
 * @param encodingOf finds the name of its encoding in its first bytes
 * @param damaged makes the error for bytes that are not in this encoding
 */
export function createTextDecoder(
  encodingOf: (head: Buffer) => string,
  damaged: Damaged,
): (bytes: Buffer) => string {
  let decode: ((bytes: Buffer) => string) | undefined
  return (bytes) => {
    decode ??= chooseDecoder(encodingOf(bytes), damaged)
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

function chooseDecoder(encoding: string, damaged: Damaged): (bytes: Buffer) => string {
  if (encoding === 'utf-8') return createUtf8Decoder(damaged)
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(encoding, { fatal: true })
  } catch {
    throw damaged(`its encoding ${encoding} is not known`)
  }
  return (bytes) => {
    try {
      return decoder.decode(bytes, { stream: true })
    } catch {
      throw damaged(`it is not in the encoding ${encoding}, which it declares`)
    }
  }
}

/** Faster than `TextDecoder`, which is slow with `stream`. */
function createUtf8Decoder(damaged: Damaged): (bytes: Buffer) => string {
  let rest = Buffer.alloc(0)
  return (bytes) => {
    const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
    const end = all.length - unfinishedBytes(all)
    rest = Buffer.from(all.subarray(end))
    const whole = all.subarray(0, end)
    if (!isUtf8(whole)) throw damaged('it has bytes that are not UTF-8')
    return whole.toString('utf8')
  }
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
