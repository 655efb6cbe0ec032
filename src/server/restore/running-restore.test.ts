import { describeRunningRestore } from './running-restore.contract'

describeRunningRestore('a restore into the running product', async () => undefined)
