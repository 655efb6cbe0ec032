import { createPostgresDatabase } from '../testing/stages/test-database'
import { describeMovedHistories } from './moved-histories.contract'

describeMovedHistories('a move to PostgreSQL', async (config) => {
  config.postgresUrl = await createPostgresDatabase()
})
