import { describeMovedHistories } from './moved-histories.contract'

describeMovedHistories('a restored backup', async () => undefined)
