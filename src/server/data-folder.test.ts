import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { prepareFolder } from './data-folder'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-test-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

it('makes a folder that its owner alone can read', async () => {
  const path = join(directory, 'new/data')
  await prepareFolder('DATA_DIR', path)
  expect((await stat(path)).mode & 0o777).toBe(0o700)
})

it('names the variable when the folder cannot be there', async () => {
  await writeFile(join(directory, 'file'), '')
  const preparing = prepareFolder('DATA_DIR', join(directory, 'file/data'))
  await expect(preparing).rejects.toThrow(/^DATA_DIR: .*file\/data cannot be written \(ENOTDIR\)/)
})
