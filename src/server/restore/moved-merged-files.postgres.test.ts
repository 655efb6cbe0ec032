import { createPostgresDatabase } from '../testing/stages/test-database'
import { describeMovedMergedFiles } from './moved-merged-files.contract'

describeMovedMergedFiles('a move to PostgreSQL', async (config) => {
  config.postgresUrl = await createPostgresDatabase()
})
