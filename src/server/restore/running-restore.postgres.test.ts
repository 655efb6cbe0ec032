import { createPostgresDatabase } from '../testing/stages/test-database'
import { describeRunningRestore } from './running-restore.contract'

describeRunningRestore('a restore into the running product on PostgreSQL', async (config) => {
  config.postgresUrl = await createPostgresDatabase()
})
