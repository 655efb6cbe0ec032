import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { storeContent } from '../testing/fixtures/stored-files'
import { openDiskFileStore } from './file-store-disk'
import { describeFileStore } from './file-store.contract'

async function open() {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-files-'))
  return {
    store: await openDiskFileStore(directory),
    close: () => rm(directory, { recursive: true }),
  }
}

describeFileStore('the file store on disk', open)

const ROUNDS = 200

it('never loses a file that becomes new again while it is being deleted for its age', async () => {
  const { store, close } = await open()
  const before = Date.now() - 60_000
  const lost: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { sha256 } = await storeContent(store, `${round}`)
    const path = await store.locate(sha256)
    await utimes(path, 0, 0)
    const deleted = store.delete([sha256], before)
    const isRenewed = await renew(path)
    await deleted
    if (isRenewed && !(await store.has(sha256))) lost.push(sha256)
  }
  expect(lost).toEqual([])
  await close()
})

/** As what stores the same content does; returns whether the file was still there. */
async function renew(path: string): Promise<boolean> {
  const now = new Date()
  return utimes(path, now, now).then(
    () => true,
    () => false,
  )
}
