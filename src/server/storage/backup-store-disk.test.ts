import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openDiskBackupStore } from './backup-store-disk'
import { describeBackupStore } from './backup-store.contract'

describeBackupStore('the backup store on disk', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-backups-'))
  return {
    store: await openDiskBackupStore(directory),
    close: () => rm(directory, { recursive: true }),
  }
})
