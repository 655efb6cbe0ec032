import { createPostgresDatabase } from '../../testing/stages/test-database'
import { migrateToLatest } from '../migrate'
import { describeSnapshots } from '../snapshots.contract'
import { openPostgres } from './open-postgres'
import { createPostgresSnapshots } from './snapshots-postgres'

describeSnapshots('snapshots of a PostgreSQL database', async () => {
  const db = openPostgres(await createPostgresDatabase(), () => undefined)
  await migrateToLatest(db)
  return { db, snapshots: createPostgresSnapshots(db), close: () => db.destroy() }
})
