import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { readAll } from '../testing/fixtures/file-fixtures'
import { openScratchFile } from './scratch-file'

let directory: string
const path = () => join(directory, 'draft')

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-scratch-'))
})
afterEach(() => rm(directory, { recursive: true }))

it('reads back what was written to a scratch file so far', async () => {
  const file = await openScratchFile(path())
  await file.write(Buffer.from('one,'))
  await file.write(Buffer.from('two'))
  expect((await readAll(file.read())).toString()).toBe('one,two')
  await file.discard()
})

it('empties a scratch file that is opened again', async () => {
  const first = await openScratchFile(path())
  await first.write(Buffer.from('a first attempt'))
  await first.finish()
  const second = await openScratchFile(path())
  await second.write(Buffer.from('abc'))
  expect((await readAll(second.read())).toString()).toBe('abc')
  expect(await second.finish()).toEqual({
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    sizeBytes: 3,
  })
})

it('deletes a scratch file that is discarded', async () => {
  const file = await openScratchFile(path())
  await file.discard()
  expect(await readdir(directory)).toEqual([])
})

it('keeps the order of chunks of all sizes, which it may have to write in several blocks', async () => {
  const file = await openScratchFile(path())
  const chunks = [1, 300_000, 700_000, 0, 1_500_000, 17].map((size, index) =>
    Buffer.alloc(size, index + 1),
  )
  for (const chunk of chunks) {
    const reused = Buffer.from(chunk)
    await file.write(reused)
    reused.fill(0)
  }
  const whole = Buffer.concat(chunks)
  expect((await readAll(file.read())).equals(whole)).toBe(true)
  expect(await file.finish()).toEqual({
    sha256: createHash('sha256').update(whole).digest('hex'),
    sizeBytes: whole.length,
  })
  expect((await readFile(path())).equals(whole)).toBe(true)
})

it.skipIf(!existsSync('/dev/full'))(
  'fails at the latest when finished on a full disk',
  async () => {
    const file = await openScratchFile('/dev/full')
    await file.write(Buffer.from('abc'))
    await expect(file.finish()).rejects.toMatchObject({ code: 'ENOSPC' })
  },
)

it.skipIf(!existsSync('/dev/full'))(
  'stops writing after a block that the disk had no room for',
  async () => {
    const file = await openScratchFile('/dev/full')
    const writeAll = async () => {
      for (let block = 0; block < 10; block++) await file.write(Buffer.alloc(512 * 1024))
    }
    await expect(writeAll()).rejects.toMatchObject({ code: 'ENOSPC' })
    await expect(file.finish()).rejects.toMatchObject({ code: 'ENOSPC' })
  },
)
