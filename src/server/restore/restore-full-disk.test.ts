import { readdir, readlink } from 'node:fs/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../config'
import { makeSampleBackup, restore, type SampleBackup } from '../testing/fixtures/backups'
import { mountSmallDisk, type SmallDisk } from '../testing/stages/small-disk'
import { TEST_KEY } from '../testing/stages/test-deps'

const STEP_KIB = 48

/** The paths of the files that this process has open, of which Linux keeps a list. */
async function listOpenFiles(): Promise<string[]> {
  const folder = '/proc/self/fd'
  const names = await readdir(folder)
  // The folder itself was open while it was read.
  return Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')))
}

describe('a restore onto a full disk', () => {
  let backup: SampleBackup
  let disk: SmallDisk | undefined

  beforeAll(async () => {
    backup = await makeSampleBackup()
    disk = mountSmallDisk(STEP_KIB)
  })
  afterAll(async () => {
    await backup.remove()
    disk?.remove()
  })

  it('leaves nothing behind, at whatever point the disk fills up', async ({ skip }) => {
    if (!disk) return skip('only root can mount a small disk')
    const config = { ...readConfig({ DATA_DIR: disk.directory }), encryptionKey: TEST_KEY }
    const refusals = new Set<string>()
    let isRestored = false
    for (let kib = STEP_KIB; !isRestored; kib += STEP_KIB) {
      disk.resize(kib)
      const said = await restore(config, backup.archive).catch((error: Error) => error.message)
      isRestored = typeof said !== 'string'
      if (typeof said === 'string') refusals.add(said.replaceAll(/[\d.]+ [KM]B/g, 'n KB'))
      const left = await readdir(disk.directory)
      expect(left.toSorted()).toEqual(isRestored ? ['app.db', 'files'] : [])
      const { directory } = disk
      expect((await listOpenFiles()).filter((path) => path.startsWith(directory))).toEqual([])
    }
    // Which of the two occurs depends on how much space the file system reserves.
    const known = new Set([
      `Restoring needs n KB of disk space, and n KB are free in ${disk.directory}/restore.tmp`,
      'The disk is full or cannot be written. Nothing was changed.',
    ])
    expect(refusals.size).toBeGreaterThan(0)
    expect([...refusals].filter((text) => !known.has(text))).toEqual([])
    return undefined
  })
})
