import { open, type FileHandle } from 'node:fs/promises'

import { BLOCK_BYTES } from './backup-archive'
import { CHUNK_BYTES, type BackupPart } from './backup-parts'

/** The file is not a tar archive of ours, or is incomplete. */
export class ArchiveError extends Error {}

/** Where the fields of a header are that archives of ours use: start and length. */
const FIELDS = {
  name: [0, 100],
  size: [124, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 5],
  prefix: [345, 155],
} as const

/**
 * Reads a tar archive part by part, as `packArchive` writes it. Strict: whatever else tar knows is not ours.
 * A link or a folder does not pass for a part of a backup, because its name is changed.
 * @throws ArchiveError
 */
export async function* readArchive(path: string): AsyncGenerator<BackupPart> {
  const file = await open(path)
  try {
    const { size: end } = await file.stat()
    for (let at = 0; ;) {
      const block = await readBlock(file, at)
      if (block.every((byte) => byte === 0)) return
      const { name, sizeBytes } = decodeHeader(block)
      at += BLOCK_BYTES
      if (sizeBytes > end - at) throw new ArchiveError(`${name} is longer than the file`)
      yield { name, sizeBytes, content: readContent(file, at, sizeBytes) }
      at += Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES
    }
  } finally {
    await file.close()
  }
}

async function readBlock(file: FileHandle, at: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(BLOCK_BYTES), 0, BLOCK_BYTES, at)
  if (bytesRead < BLOCK_BYTES) throw new ArchiveError('it ends too early')
  return buffer
}

/** No stream of the file: it would stay in memory until the file is closed, for each of millions of parts. */
async function* readContent(
  file: FileHandle,
  start: number,
  sizeBytes: number,
): AsyncGenerator<Buffer> {
  for (let read = 0; read < sizeBytes;) {
    const length = Math.min(CHUNK_BYTES, sizeBytes - read)
    const { bytesRead, buffer } = await file.read(
      Buffer.allocUnsafe(length),
      0,
      length,
      start + read,
    )
    if (bytesRead === 0) throw new ArchiveError('it ends too early')
    yield buffer.subarray(0, bytesRead)
    read += bytesRead
  }
}

function decodeHeader(block: Buffer): { name: string; sizeBytes: number } {
  const field = (name: keyof typeof FIELDS) => {
    const [start, length] = FIELDS[name]
    return block.subarray(start, start + length)
  }
  const isTar = toText(field('magic')) === 'ustar'
  if (!isTar || toNumber(field('checksum')) !== computeChecksum(block)) {
    throw new ArchiveError('it has no valid header')
  }
  const [prefix, ownName, type] = [field('prefix'), field('name'), field('type')].map(toText)
  const name = prefix ? `${prefix}/${ownName}` : `${ownName}`
  const sizeBytes = toNumber(field('size'))
  if (sizeBytes === undefined) throw new ArchiveError(`${name} has no valid size`)
  const isFile = type === '' || type === '0'
  return { name: isFile ? name : `type ${type} ${name}`, sizeBytes }
}

/** A field up to its first NUL; printable ASCII only, because names are shown to the operator. */
function toText(field: Buffer): string {
  const end = field.indexOf(0)
  const text = field.subarray(0, end === -1 ? field.length : end).toString('latin1')
  return text.replaceAll(/[^ -~]/g, '?')
}

/** Octal digits, or bytes after the first one if that is 0x80; undefined for anything else. */
function toNumber(field: Buffer): number | undefined {
  const digits = /^ *(?<octal>[0-7]+)[ \0]*$/.exec(field.toString('latin1'))?.groups?.octal
  const bytes = field[0] === 0x80 ? field.subarray(1).toString('hex') : undefined
  const value = digits === undefined ? Number(`0x${bytes ?? ''}`) : Number.parseInt(digits, 8)
  return Number.isSafeInteger(value) ? value : undefined
}

/** The sum of the bytes of a header, as if those of the sum itself were spaces. */
function computeChecksum(block: Buffer): number {
  const [start, length] = FIELDS.checksum
  const isOfSum = (index: number) => index >= start && index < start + length
  return block.reduce((sum, byte, index) => sum + (isOfSum(index) ? 0x20 : byte), 0)
}
