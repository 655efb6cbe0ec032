import { mkdtemp, readdir, rm } from 'node:fs/promises'
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
    close: () => rm(directory, { recursive: true }),
  }
})
