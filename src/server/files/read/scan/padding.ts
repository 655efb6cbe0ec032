import { isLineEnd } from './scan-bytes'

/** Text without NUL characters, with which some programs pad files or cells. */
export function withoutNuls(bytes: Buffer): Buffer {
  if (!bytes.includes(0)) return bytes
  const kept = Buffer.allocUnsafeSlow(bytes.length)
  let length = 0
  for (const byte of bytes) if (byte !== 0) kept[length++] = byte
  return kept.subarray(0, length)
}

const END_OF_FILE = 0x1a
/** Old programs fill the last block of a file with these characters. */
const MAX_END_BYTES = 1024
const NOTHING = Buffer.alloc(0)

/**
 * Text without NUL characters and, at its end, without the end-of-file characters of DOS (0x1A).
 * @param isWhole whether no more text follows
 */
export function withoutPadding(text: Buffer, isWhole: boolean): Buffer {
  const kept = withoutNuls(text)
  return isWhole ? kept.subarray(0, findEndOfFile(kept)) : kept
}

/** Leaves out end-of-file characters at the end of a text that arrives part by part. */
export interface EndOfFileFilter {
  /** Returns what is no such character, nor may be one at the end. */
  push(text: Buffer): Buffer
  /** Whether the text so far ends with such characters. */
  hasFound(): boolean
}

export function createEndOfFileFilter(): EndOfFileFilter {
  let held = NOTHING
  return {
    push(text) {
      if (text.length === 0) return text
      const whole = held.length > 0 ? Buffer.concat([held, text]) : text
      const found = findEndOfFile(whole)
      const end = whole.length - found <= MAX_END_BYTES ? found : whole.length
      // A copy, because the memory of the text is reused.
      held = end < whole.length ? Buffer.from(whole.subarray(end)) : NOTHING
      return whole.subarray(0, end)
    },
    hasFound: () => held.length > 0,
  }
}

/** Where the end-of-file characters at the end begin; the length without any. */
function findEndOfFile(text: Buffer): number {
  let start = text.length
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === END_OF_FILE) start = at
    else if (!isLineEnd(text[at])) break
  }
  return start
}
