import { encodingLabel } from '../../../../shared/encodings'
import type { ProblemLog } from '../problems'
import { MAX_FOUND_BYTES, createByteFinder } from '../scan/byte-finder'
import { createCharsetDecoder, decodeText, listCharacters } from './charsets'
import { notUtf8 } from './chosen-encoding'
import { type Encoding, incompleteTailLength, validSequenceLength } from './encoding'
import { createSingleByteConverter } from './single-byte'

/** Converts the bytes of a source to UTF-8, chunk by chunk. */
export interface Decoder {
  /** The result is valid until the next call. */
  decode(chunk: Buffer): Buffer
  /** Decodes the incomplete character that the last chunk ended with, if any. */
  end(): Buffer
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const EMPTY = Buffer.alloc(0)

/** Creates a decoder for one pass over a source; undecodable characters are reported to `problems`. */
export function createDecoder(encoding: Encoding, problems: ProblemLog): Decoder {
  const decoder = createBodyDecoder(encoding, problems)
  let bomBytesLeft = encoding.bomLength
  return {
    decode(chunk) {
      const skipped = Math.min(bomBytesLeft, chunk.length)
      bomBytesLeft -= skipped
      return decoder.decode(skipped === 0 ? chunk : chunk.subarray(skipped))
    },
    end: () => decoder.end(),
  }
}

function createBodyDecoder(encoding: Encoding, problems: ProblemLog): Decoder {
  if (encoding.hasStrayBytes) {
    return createRepairingDecoder((line) => {
      if (encoding.name === 'utf-8') problems.add(line, REPAIRED)
    })
  }
  if (encoding.isChosen && encoding.name === 'utf-8') {
    return createRepairingDecoder((line) => {
      throw notUtf8(line)
    })
  }
  if (encoding.name === 'utf-8') return { decode: (chunk) => chunk, end: () => EMPTY }
  return createReportingDecoder(encoding.name, problems)
}

function createReportingDecoder(name: string, problems: ProblemLog): Decoder {
  const converter = createConverter(name)
  const lines = createLineCounter()
  const report = (bytes: Buffer) => {
    // The converter writes U+FFFD for an undefined byte; half a surrogate pair becomes one in UTF-8.
    for (let at = bytes.indexOf('\uFFFD'); at >= 0; at = bytes.indexOf('\uFFFD', at + 3)) {
      problems.add(
        lines.lineAt(bytes, at),
        `Some characters cannot be read as ${encodingLabel(name)}; they are shown as \uFFFD.`,
      )
    }
    lines.pass(bytes)
    return bytes
  }
  return {
    decode: (chunk) => report(converter.decode(chunk)),
    end: () => report(converter.end()),
  }
}

function createConverter(name: string): Decoder {
  const characters = listCharacters(name)
  if (characters) return { decode: createSingleByteConverter(characters), end: () => EMPTY }
  const decoder = createCharsetDecoder(name)
  return {
    decode: (chunk) => Buffer.from(decoder.write(chunk), 'utf8'),
    end: () => Buffer.from(decoder.end(), 'utf8'),
  }
}

/** The Windows-1252 character of each byte, as UTF-8. */
const WINDOWS_1252 = Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(decodeText('windows-1252', Buffer.of(byte)), 'utf8'),
)
/** The length of the longest of them, `€` for example. */
const MAX_REPAIRED_BYTES = 3

const REPAIRED =
  'Some characters are not UTF-8 like the rest of the file; they were read as Windows-1252.'

/**
 * For a mixture of UTF-8 and Windows-1252: each byte that is not part of a valid UTF-8 character is read
 * as Windows-1252, after its line is passed on.
 */
function createRepairingDecoder(onStrayByte: (line: number) => void): Decoder {
  const lines = createLineCounter()
  let pending: Buffer = EMPTY
  const repair = (bytes: Buffer) => {
    let repaired: Buffer | undefined
    let length = 0
    let from = 0
    const keep = (part: Buffer) => {
      repaired ??= Buffer.allocUnsafeSlow(MAX_REPAIRED_BYTES * bytes.length)
      length += part.copy(repaired, length)
    }
    for (let index = 0; index < bytes.length;) {
      const valid = validSequenceLength(bytes, index)
      if (valid > 0) {
        index += valid
        continue
      }
      onStrayByte(lines.lineAt(bytes, index))
      keep(bytes.subarray(from, index))
      keep(WINDOWS_1252[bytes[index] ?? 0] ?? EMPTY)
      index++
      from = index
    }
    lines.pass(bytes)
    if (!repaired) return bytes
    keep(bytes.subarray(from))
    return repaired.subarray(0, length)
  }
  return {
    decode(chunk) {
      const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const end = bytes.length - incompleteTailLength(bytes)
      // Copied, because the caller may reuse the chunk's memory.
      pending = Buffer.from(bytes.subarray(end))
      return repair(bytes.subarray(0, end))
    },
    end() {
      const rest = repair(pending)
      pending = EMPTY
      return rest
    },
  }
}

const findLineEnds = createByteFinder([LINE_FEED, CARRIAGE_RETURN])

/** Counts lines lazily, looking at each byte once. */
function createLineCounter() {
  let line = 1
  let lastByte = 0
  let countedTo = 0
  const countTo = (bytes: Uint8Array, end: number) => {
    while (countedTo < end) {
      const to = Math.min(end, countedTo + MAX_FOUND_BYTES)
      const marks = findLineEnds(bytes, countedTo, to)
      for (let index = 0; (marks[index] as number) < to; index++) {
        const at = marks[index] as number
        const before = at === 0 ? lastByte : bytes[at - 1]
        if (bytes[at] === CARRIAGE_RETURN || before !== CARRIAGE_RETURN) line++
      }
      countedTo = to
    }
  }
  return {
    lineAt(bytes: Uint8Array, index: number): number {
      countTo(bytes, index)
      return line
    },
    /** Moves on to the next chunk. */
    pass(bytes: Uint8Array) {
      countTo(bytes, bytes.length)
      lastByte = bytes.at(-1) ?? lastByte
      countedTo = 0
    },
  }
}
