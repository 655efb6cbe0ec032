import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openDiskFileStore } from './file-store-disk'
import { describeFileStore } from './file-store.contract'

describeFileStore('the file store on disk', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-files-'))
  return {
    store: await openDiskFileStore(directory),
    close: () => rm(directory, { recursive: true }),
  }
})
