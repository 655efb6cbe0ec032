import {
  access,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { markFolder, removeUnread, type FolderPlaces } from './read-folders'
import { READER_LOST_MS } from './while-read'

let directory: string
let places: FolderPlaces

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-folders-'))
  places = { own: join(directory, 'own'), removed: join(directory, 'removed'), now: Date.now }
  await mkdir(places.own)
  await writeFile(join(places.own, 'part'), 'content')
})
afterEach(() => rm(directory, { recursive: true }))

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Sets the time at which the only reader has shown itself last. */
async function age(folder: string, ms: number) {
  const mark = (await readdir(folder)).find((name) => name.startsWith('reader.')) ?? ''
  const time = new Date(Date.now() - ms)
  await utimes(join(folder, mark), time, time)
}

describe('a folder that is read', () => {
  it('stays until the last of its readers has ended', async () => {
    const marks = [await markFolder(places), await markFolder(places)]
    await rename(places.own, places.removed)
    await removeUnread(places.removed, Date.now())
    await marks[0]?.release()
    expect(await exists(join(places.removed, 'part'))).toBe(true)
    await marks[1]?.release()
    expect(await exists(places.removed)).toBe(false)
  })

  it('stays where it is when it has not been removed', async () => {
    const mark = await markFolder(places)
    await mark?.release()
    expect(await readdir(places.own)).toEqual(['part'])
  })

  it('is removed once its reader has died, and not while it shows itself', async () => {
    const mark = await markFolder(places)
    await rename(places.own, places.removed)
    await age(places.removed, READER_LOST_MS + 1_000)
    await mark?.renew()
    await removeUnread(places.removed, Date.now())
    expect(await exists(places.removed)).toBe(true)
    await age(places.removed, READER_LOST_MS + 1_000)
    await removeUnread(places.removed, Date.now())
    expect(await exists(places.removed)).toBe(false)
  })

  it('is not begun to be read once it has been removed', async () => {
    await rename(places.own, places.removed)
    expect(await markFolder(places)).toBeUndefined()
  })

  it.skipIf(process.getuid?.() === 0)('is read even where nothing can be written', async () => {
    await chmod(places.own, 0o500)
    expect(await markFolder(places)).toBeDefined()
    await chmod(places.own, 0o700)
  })
})
