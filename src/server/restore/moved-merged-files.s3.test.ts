import { newBucketPlace } from '../testing/stages/s3-bucket'
import { describeMovedMergedFiles } from './moved-merged-files.contract'

describeMovedMergedFiles('a move to a bucket', async (config) => {
  config.bucket = newBucketPlace()
})
