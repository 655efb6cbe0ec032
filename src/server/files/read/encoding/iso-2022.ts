const ESCAPE = 0x1b
const SHIFT_OUT = 0x0e
const SHIFT_IN = 0x0f

/** The escape sequences that announce double-byte characters, and the charsets that have them. */
const ANNOUNCEMENTS = [
  ['\u001B$B', 'iso-2022-jp'],
  ['\u001B$@', 'iso-2022-jp'],
  ['\u001B$)C', 'iso-2022-kr'],
] as const
const MAX_SEQUENCE_BYTES = 4

/** Finds escape sequences in bytes of seven bits, where no other charset has them. */
export interface EscapeDetector {
  push(chunk: Uint8Array): void
  /** The charset of the first sequence so far. */
  charset(): string | undefined
}

export function createEscapeDetector(): EscapeDetector {
  let charset: string | undefined
  /** A sequence at the end of the last chunk that may be incomplete. */
  let pending = Buffer.alloc(0)
  return {
    charset: () => charset,
    push({ buffer, byteOffset, length }) {
      const chunk = Buffer.from(buffer, byteOffset, length)
      if (charset !== undefined || (pending.length === 0 && !chunk.includes(ESCAPE))) return
      const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      charset = ANNOUNCEMENTS.find(([sequence]) => bytes.includes(sequence))?.[1]
      const last = bytes.indexOf(ESCAPE, Math.max(0, bytes.length - MAX_SEQUENCE_BYTES + 1))
      // Copied, because the caller may reuse the chunk's memory.
      pending = last < 0 ? Buffer.alloc(0) : Buffer.from(bytes.subarray(last))
    },
  }
}

/**
 * Converts ISO-2022-KR to EUC-KR, which has the same characters with the eighth bit set. Both bytes of a
 * character stand between the control characters SO and SI.
 */
export function createIso2022KrConverter(): (bytes: Uint8Array) => Buffer {
  let isShifted = false
  let sequenceBytesLeft = 0
  return (bytes) => {
    const converted = Buffer.alloc(bytes.length)
    let length = 0
    for (const byte of bytes) {
      if (sequenceBytesLeft > 0) sequenceBytesLeft--
      else if (byte === ESCAPE) sequenceBytesLeft = MAX_SEQUENCE_BYTES - 1
      else if (byte === SHIFT_OUT || byte === SHIFT_IN) isShifted = byte === SHIFT_OUT
      else converted[length++] = isShifted && byte > 0x20 && byte < 0x7f ? byte | 0x80 : byte
    }
    return converted.subarray(0, length)
  }
}
