import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openDiskBackupStore } from './backup-store-disk'
import { describeBackupStore } from './backup-store.contract'

describeBackupStore('the backup store on disk', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-backups-'))
  return {
    store: await openDiskBackupStore(directory, Date.now),
    other: await openDiskBackupStore(directory, Date.now),
    listStored: () => readdir(directory, { recursive: true }),
    async damage(end) {
      const names = await readdir(directory, { recursive: true })
      for (const name of names.filter((each) => each.endsWith(end))) {
        const content = await readFile(join(directory, name))
        await writeFile(join(directory, name), content.fill(' ', 0, 1))
      }
    },
    close: () => rm(directory, { recursive: true }),
  }
})
