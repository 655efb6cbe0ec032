import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { migrateToLatest } from '../migrate'
import { openDatabase } from '../open'
import { describeSnapshots } from '../snapshots.contract'
import { createSqliteSnapshots } from './snapshots-sqlite'

describeSnapshots('snapshots of an SQLite database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stockbridge-database-'))
  const file = join(folder, 'app.db')
  const db = openDatabase(file)
  await migrateToLatest(db)
  return {
    db,
    snapshots: createSqliteSnapshots(file),
    async close() {
      await db.destroy()
      await rm(folder, { recursive: true })
    },
  }
})
