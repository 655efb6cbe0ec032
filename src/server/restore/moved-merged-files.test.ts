import { describeMovedMergedFiles } from './moved-merged-files.contract'

describeMovedMergedFiles('a restored backup', async () => undefined)
