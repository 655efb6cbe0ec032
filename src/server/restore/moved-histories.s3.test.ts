import { newBucketPlace } from '../testing/stages/s3-bucket'
import { describeMovedHistories } from './moved-histories.contract'

describeMovedHistories('a move to a bucket', async (config) => {
  config.bucket = newBucketPlace()
})
