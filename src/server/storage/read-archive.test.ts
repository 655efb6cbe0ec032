import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { packArchive } from './backup-archive'
import { ArchiveError, readArchive } from './read-archive'

const BLOCK_BYTES = 512
const PARTS = ['{}', 'd'.repeat(700), '', 'sku\r\n'].map((content, index) => ({
  name: `part-${index}`,
  content,
}))
/** Where the header of the second part is. */
const SECOND = 2 * BLOCK_BYTES
const CHECKSUM = 148

let directory: string
let path: string
let whole: Buffer

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-archive-'))
  path = join(directory, 'archive.tar')
  const parts = PARTS.map(({ name, content }) => ({
    name,
    sizeBytes: content.length,
    open: () => Readable.from([Buffer.from(content)]),
  }))
  whole = await buffer(packArchive(parts, new Date(0)))
})
afterAll(() => rm(directory, { recursive: true }))

async function read(archive: Buffer) {
  await writeFile(path, archive)
  const parts: { name: string; content: string }[] = []
  for await (const { name, sizeBytes, content } of readArchive(path)) {
    const found = await text(content)
    expect(found).toHaveLength(sizeBytes)
    parts.push({ name, content: found })
  }
  return parts
}

/** What reading ends with; no other error, and no endless wait. */
const readOrRefuse = (archive: Buffer) =>
  read(archive).catch((error: unknown) => {
    if (error instanceof ArchiveError) return error.message
    throw error
  })

/** Overwrites bytes of the second header, and makes its sum match. */
function forge(at: number, bytes: Buffer | string): Buffer {
  const forged = Buffer.from(whole)
  forged.set(Buffer.from(bytes as string), SECOND + at)
  const header = forged.subarray(SECOND, SECOND + BLOCK_BYTES)
  header.fill(' ', CHECKSUM, CHECKSUM + 8)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, CHECKSUM)
  return forged
}

it('an archive of many parts keeps nothing of those that have been read', async () => {
  const parts = Array.from({ length: 20 }, (_, number) => ({
    name: `part-${number}`,
    sizeBytes: 1,
    open: () => Readable.from([Buffer.from('x')]),
  }))
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  expect(await read(await buffer(packArchive(parts, new Date(0))))).toHaveLength(20)
  await new Promise(setImmediate)
  process.off('warning', note)
  expect(warnings).toEqual([])
})

describe('an archive', () => {
  it('is read as it was packed', async () => {
    expect(await read(whole)).toEqual(PARTS)
  })

  it('may have sizes of more than eight gigabytes, written as bytes', async () => {
    const size = Buffer.alloc(12)
    size.writeUInt8(0x80, 0)
    size.writeBigUInt64BE(700n, 4)
    expect(await read(forge(124, size))).toEqual(PARTS)
    size.writeBigUInt64BE(10n ** 10n, 4)
    expect(await readOrRefuse(forge(124, size))).toBe('part-1 is longer than the file')
  })

  it.each([
    ['no size', '\0'.repeat(12)],
    ['a size of spaces', ' '.repeat(12)],
    ['letters', 'abcdefghijk '],
    ['a digit that is not octal', '00000000008 '],
    ['digits after a gap', '0000 000012 '],
    ['a sign', '-0000000001 '],
    ['a negative number as bytes', Buffer.alloc(12, 0xff)],
    ['a number beyond all sizes', Buffer.from([0x80, ...Array.from({ length: 11 }, () => 0xff)])],
    ['another mark of bytes', Buffer.from([0x90, ...Array.from({ length: 11 }, () => 0)])],
  ])('is refused with %s as the size of a part', async (_what, size) => {
    expect(await readOrRefuse(forge(124, size))).toBe('part-1 has no valid size')
  })

  it('does not pass a link or a folder for a part, and shows no control characters', async () => {
    expect(await readOrRefuse(forge(156, '5'))).toMatchObject([
      {},
      { name: 'type 5 part-1' },
      {},
      {},
    ])
    expect(await readOrRefuse(forge(0, '\u001B]0;'))).toMatchObject([
      {},
      { name: '?]0;-1' },
      {},
      {},
    ])
  })

  it('ends with a message or its parts, whichever byte of a header is changed', async () => {
    for (let at = 0; at < BLOCK_BYTES; at += 1) {
      const changed = Buffer.from(whole)
      changed.writeUInt8(0x35, SECOND + at)
      const forged = [0x00, 0xff].map((byte) => forge(at, Buffer.from([byte])))
      for (const archive of [changed, ...forged]) expect(await readOrRefuse(archive)).toBeDefined()
    }
  })

  it('is refused wherever it is cut off before its end', async () => {
    const end = whole.length - 2 * BLOCK_BYTES
    for (let size = 0; size < end; size += 61) {
      expect(typeof (await readOrRefuse(whole.subarray(0, size)))).toBe('string')
    }
  })
})
