import { describe, expect, it } from 'vitest'

import { archiveOf, randomAccess } from '../../testing/fixtures/workbooks'
import { type ZipContent, zip, zipEntries } from '../../testing/fixtures/zip'
import { type Archive, openArchive } from './archive'

const MB = 1024 * 1024

async function readAll(archive: Archive, index = 0): Promise<string> {
  const entry = archive.entries[index]
  if (!entry) throw new Error('There is no such entry')
  const chunks: Buffer[] = []
  for await (const chunk of archive.read(entry)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const readOne = async (content: ZipContent, maxBytes = 10 * MB) =>
  readAll(await archiveOf(zip({ 'stock.csv': content }), maxBytes))

const withCode = (code: string) => expect.objectContaining({ name: 'FileError', code })

describe('an archive', () => {
  it('has its files with paths, sizes and times', async () => {
    const { entries } = await archiveOf(
      zip({
        '/data\\größe.csv': 'sku\n',
        'none.csv': { content: 'a', options: { date: 0 } },
        'secret.csv': { content: 'a', options: { flags: 1 } },
      }),
    )
    expect(entries).toEqual([
      {
        path: 'data/größe.csv',
        sizeBytes: 4,
        modifiedAt: new Date('2024-12-01'),
        isEncrypted: false,
      },
      { path: 'none.csv', sizeBytes: 1, modifiedAt: null, isEncrypted: false },
      { path: 'secret.csv', sizeBytes: 1, modifiedAt: new Date('2024-12-01'), isEncrypted: true },
    ])
  })

  it('gives each file, compressed or not, in any order, and again', async () => {
    const long = 'sku,qty\n'.repeat(100_000)
    const archive = await archiveOf(
      zip({ a: { content: 'one', options: { method: 0 } }, b: 'sku,qty\n'.repeat(10_000), c: '' }),
    )
    expect(await readAll(archive, 2)).toBe('')
    expect(await readAll(archive, 1)).toBe(long.slice(0, 80_000))
    expect(await readAll(archive, 0)).toBe('one')
    expect(await readAll(archive, 1)).toBe(long.slice(0, 80_000))
  })

  it('gives its directory in few reads', async () => {
    const entries = Array.from({ length: 1_000 }, (_, index): [string, string] => [`${index}`, ''])
    const file = randomAccess(zipEntries(entries))
    let reads = 0
    const archive = await openArchive(
      { ...file, readAt: (...place) => (reads++, file.readAt(...place)) },
      { maxBytes: MB },
    )
    expect(archive.entries.length).toBe(1_000)
    expect(reads).toBeLessThan(10)
  })

  it('passes on what the reading of its bytes fails with', async () => {
    const file = randomAccess(zip({ a: 'x'.repeat(100) }))
    const failure = new Error('The parent is gone')
    let isGone = false
    const readAt: typeof file.readAt = (...place) =>
      isGone ? Promise.reject(failure) : file.readAt(...place)
    const archive = await openArchive({ ...file, readAt }, { maxBytes: MB })
    isGone = true
    await expect(readAll(archive)).rejects.toBe(failure)
    await expect(openArchive({ ...file, readAt }, { maxBytes: MB })).rejects.toBe(failure)
  })
})

describe('an archive is refused', () => {
  it.each([1, 21, 22, 60, 100])('when %i bytes of its end are missing', async (missing) => {
    const bytes = zip({ 'stock.csv': 'sku,qty\n' })
    await expect(archiveOf(bytes.subarray(0, bytes.length - missing))).rejects.toEqual(
      withCode('archive-damaged'),
    )
  })

  it('when bytes are missing at its beginning', async () => {
    const archive = archiveOf(zip({ 'stock.csv': 'sku,qty\n'.repeat(100) }).subarray(5))
    await expect(archive.then(readAll)).rejects.toEqual(withCode('archive-damaged'))
  })

  it('when its directory names a place beyond its end, which is not read', async () => {
    const bytes = zip({ 'stock.csv': 'sku,qty\n' })
    bytes.writeUInt32LE(0xfffffff0, bytes.length - 6)
    await expect(archiveOf(bytes)).rejects.toEqual(withCode('archive-damaged'))
  })

  it('when a file has another checksum or size than is declared', async () => {
    for (const method of [0, 8] as const) {
      const content = 'sku,qty\n'
      const read = (options: object) => readOne({ content, options: { method, ...options } })
      await expect(read({ checksum: 1 })).rejects.toEqual(withCode('archive-damaged'))
      await expect(read({ sizeBytes: 9 })).rejects.toEqual(withCode('archive-damaged'))
      await expect(read({ sizeBytes: 7 })).rejects.toEqual(withCode('archive-damaged'))
    }
  })

  it('when it is protected by a password', async () => {
    const content = { content: 'sku', options: { flags: 1 } }
    await expect(readOne(content)).rejects.toEqual(withCode('archive-encrypted'))
    await expect(readOne({ content: 'sku', options: { flags: 0x41 } })).rejects.toEqual(
      withCode('archive-encrypted'),
    )
  })

  it('when a file is compressed by another method', async () => {
    await expect(readOne({ content: 'sku', options: { method: 12 } })).rejects.toEqual(
      withCode('archive-unsupported'),
    )
  })

  it('when it has too many files', async () => {
    const entries = Array.from({ length: 10_001 }, (_, index): [string, string] => [`${index}`, ''])
    await expect(archiveOf(zipEntries(entries))).rejects.toEqual(withCode('archive-too-large'))
  })

  it('when the paths of its files are too long', async () => {
    const entries = Array.from({ length: 200 }, (_, index): [string, string] => [
      `${index}`.padEnd(60_000, 'x'),
      '',
    ])
    await expect(archiveOf(zipEntries(entries))).rejects.toEqual(withCode('archive-too-large'))
  })

  it('when a file expands to more than 500 times its size', async () => {
    const level9 = { content: Buffer.alloc(5 * MB), options: { level: 9 } }
    await expect(readOne(level9)).rejects.toEqual(withCode('compression-bomb'))
    const rows = '<c t="s"><v>1</v></c>'.repeat(200_000)
    expect((await readOne({ content: rows, options: { level: 9 } })).length).toBe(rows.length)
  })

  it('when what is read of it is too large in all, each file counted once', async () => {
    const content = { content: 'x'.repeat(600), options: { method: 0 as const } }
    const archive = await archiveOf(zip({ a: content, b: content }), 1_000)
    await readAll(archive, 0)
    await readAll(archive, 0)
    await expect(readAll(archive, 1)).rejects.toEqual(withCode('archive-too-large'))
  })

  it('when the same file of it is read again and again', async () => {
    const content = { content: 'x'.repeat(600), options: { method: 0 as const } }
    const archive = await archiveOf(zip({ a: content }), 1_000)
    for (let times = 0; times < 6; times++) await readAll(archive, 0)
    await expect(readAll(archive, 0)).rejects.toEqual(withCode('archive-too-large'))
  })
})
