import { callbackify } from 'node:util'
import { crc32, createInflateRaw } from 'node:zlib'

import {
  type Entry,
  RandomAccessReader,
  type ZipFile,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
} from 'yauzl'

import { codeOf } from '../../process/error-code'
import { checkRatio } from '../fetch/decompress'
import { transformed } from '../fetch/transformed'
import { FileError } from '../file-error'
import type { ReadAt } from '../keys/record-reader'

/** Bytes that can be read in any order. */
export interface RandomAccess {
  readAt: ReadAt
  sizeBytes: number
}

export interface ArchiveEntry {
  path: string
  /** Unpacked, as the archive declares. */
  sizeBytes: number
  modifiedAt: Date | null
  isEncrypted: boolean
}

export interface Archive {
  entries: readonly ArchiveEntry[]
  /** @throws FileError */
  read(entry: ArchiveEntry): AsyncGenerator<Buffer>
}

interface ArchiveLimits {
  /** Of all parts that are read, unpacked. */
  maxBytes: number
}

const CHUNK_BYTES = 64 * 1024
const MAX_ENTRIES = 10_000
const MAX_PATH_CHARACTERS = 1_000
/** Of all paths, comments and extra fields. */
const MAX_DIRECTORY_BYTES = 8 * 1024 * 1024
/** The XML of a sheet whose columns hardly change compresses to a 160th. */
const MAX_RATIO = 500
/** Parts are read again, but not without end: hundreds of sheets may name the same part. */
const MAX_REREADS = 4
const STORED = 0
const DEFLATED = 8

/**
 * Reads the directory of a ZIP archive. Its entries are read from the file when they are needed, each checked by its
 * size and checksum.
 * @throws FileError
 */
export async function openArchive(
  file: RandomAccess,
  { maxBytes }: ArchiveLimits,
): Promise<Archive> {
  const { readAt, failure } = watchFailures(file)
  const describe = (error: unknown, path?: string) => failure() ?? describeFailure(error, path)
  const packed = new Map<ArchiveEntry, Entry>()
  let zip: ZipFile
  try {
    zip = await fromRandomAccessReaderPromise(new BufferedReader(readAt), file.sizeBytes, {
      decodeStrings: false,
      autoClose: false,
    })
    for await (const entry of listEntries(zip)) packed.set(describeEntry(entry), entry)
  } catch (error) {
    throw describe(error)
  }

  const counted = new Set<ArchiveEntry>()
  let declaredBytes = 0
  let unpackedBytes = 0

  /** A part counts once, however often it is read. */
  function count(entry: ArchiveEntry): void {
    if (counted.has(entry)) return
    counted.add(entry)
    declaredBytes += entry.sizeBytes
    if (declaredBytes > maxBytes) throw tooLarge(maxBytes)
  }

  return {
    entries: [...packed.keys()],
    async *read(entry) {
      const known = packed.get(entry)
      if (!known) throw new Error('The entry is of another archive')
      refuseUnreadable(known, entry.path)
      count(entry)
      try {
        const { fileDataStart } = await zip.readLocalFileHeaderPromise(known, { minimal: true })
        for await (const chunk of unpack(readAt, known, fileDataStart)) {
          unpackedBytes += chunk.length
          if (unpackedBytes > MAX_REREADS * maxBytes) throw tooLarge(maxBytes)
          yield chunk
        }
      } catch (error) {
        throw describe(error, entry.path)
      }
    },
  }
}

/** What fails outside of the archive must not pass for damage of it. */
function watchFailures(file: RandomAccess): { readAt: ReadAt; failure(): unknown } {
  let failure: unknown
  return {
    failure: () => failure,
    async readAt(target, position) {
      // A damaged directory may name any place.
      if (position >= file.sizeBytes) return 0
      try {
        return await file.readAt(target, position)
      } catch (error) {
        failure = error
        throw error
      }
    },
  }
}

/** Reads the small records of a directory through a buffer: each would otherwise be a message to the parent. */
class BufferedReader extends RandomAccessReader {
  readonly #readAt: ReadAt
  readonly #bytes = Buffer.alloc(CHUNK_BYTES)
  #start = 0
  #length = 0

  constructor(readAt: ReadAt) {
    super()
    this.#readAt = readAt
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    callbackify(() => this.#fill(target.subarray(offset, offset + length), position))(callback)
  }

  async #fill(target: Buffer, position: number): Promise<number> {
    if (target.length > CHUNK_BYTES) return this.#readAt(target, position)
    if (position < this.#start || position + target.length > this.#start + this.#length) {
      this.#start = position
      this.#length = 0
      this.#length = await this.#readAt(this.#bytes, position)
    }
    const from = position - this.#start
    return this.#bytes.copy(target, 0, from, Math.min(from + target.length, this.#length))
  }
}

async function* listEntries(zip: ZipFile): AsyncGenerator<Entry> {
  if (zip.entryCount > MAX_ENTRIES) throw tooManyEntries()
  let directoryBytes = 0
  for await (const entry of zip.eachEntry()) {
    directoryBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    if (directoryBytes > MAX_DIRECTORY_BYTES) throw tooManyEntries()
    yield entry
  }
}

function describeEntry(entry: Entry): ArchiveEntry {
  const name = getFileNameLowLevel(
    entry.generalPurposeBitFlag,
    entry.fileNameRaw,
    entry.extraFields,
    false,
  )
  const modifiedAt = entry.getLastModDate({ timezone: 'UTC' })
  return {
    path: name.replace(/^\/+/, '').slice(0, MAX_PATH_CHARACTERS),
    sizeBytes: entry.uncompressedSize,
    // Programs that know no time write zeros.
    modifiedAt: entry.lastModFileDate === 0 || isNaN(modifiedAt.getTime()) ? null : modifiedAt,
    isEncrypted: entry.isEncrypted(),
  }
}

function refuseUnreadable(entry: Entry, path: string): void {
  if (entry.isEncrypted()) throw encrypted()
  if (entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED) return
  throw new FileError(
    'archive-unsupported',
    `${quote(path)} is compressed by a method that is not read here. Make the ZIP archive anew with the usual method (Deflate).`,
  )
}

async function* unpack(
  readAt: ReadAt,
  { compressionMethod, compressedSize, uncompressedSize, crc32: checksum }: Entry,
  start: number,
): AsyncGenerator<Buffer> {
  let bytesIn = 0
  async function* packedBytes(): AsyncGenerator<Buffer> {
    while (bytesIn < compressedSize) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, compressedSize - bytesIn))
      const length = await readAt(chunk, start + bytesIn)
      if (length === 0) throw damaged()
      bytesIn += length
      yield chunk.subarray(0, length)
    }
  }

  let bytesOut = 0
  let sum = 0
  const bytes =
    compressionMethod === STORED
      ? packedBytes()
      : transformed(packedBytes(), createInflateRaw({ chunkSize: CHUNK_BYTES }))
  for await (const chunk of bytes) {
    bytesOut += chunk.length
    if (bytesOut > uncompressedSize) throw damaged()
    checkRatio(bytesIn, bytesOut, MAX_RATIO)
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (bytesOut < uncompressedSize || sum !== checksum) throw damaged()
}

/** What the library throws has no codes, except for what zlib found. */
function describeFailure(error: unknown, path?: string): unknown {
  if (error instanceof FileError || !(error instanceof Error)) return error
  const code = codeOf(error)
  if (code !== '' && !code.startsWith('Z_')) return error
  if (error.message.includes('encryption')) return encrypted()
  return damaged(path, error)
}

function damaged(path?: string, cause?: unknown): FileError {
  return new FileError(
    'archive-damaged',
    `${path === undefined ? 'The file' : `${quote(path)} in the file`} is damaged or cut off. Save or pack it again, and see that it is sent as a whole.`,
    { cause },
  )
}

function encrypted(): FileError {
  return new FileError(
    'archive-encrypted',
    'The ZIP archive is protected by a password. Pack it without one.',
  )
}

function tooManyEntries(): FileError {
  return new FileError(
    'archive-too-large',
    `The ZIP archive has more than ${MAX_ENTRIES.toLocaleString('en')} files. Pack only the files that are needed.`,
  )
}

function tooLarge(maxBytes: number): FileError {
  const megabytes = Math.floor(maxBytes / 1024 / 1024).toLocaleString('en')
  return new FileError(
    'archive-too-large',
    `The ZIP archive unpacks to more than ${megabytes} MB. Send less in it.`,
  )
}

const quote = (path: string) => `“${path.slice(-100)}”`
