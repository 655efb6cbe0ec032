import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { readAll } from '../testing/feed-fixtures'
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
