import { allJobs } from '../../all-jobs'
import { readConfig } from '../../config'
import { openDeps } from '../../deps'
import { claimDueWork } from '../../features/operations/scheduling/claim-due-work'
import { receiveMail } from '../../features/publication/mailed-files/receive-mail'
import { createLogger } from '../../observability/logger'
import { toBody, writeMail } from '../fixtures/mails'
import { openInlineReader } from './reader-inline'
import { watchOperations } from './watch-operations'

// A script that receives a mail, reads its file, and kills itself before the n-th operation that changes the disk:
// failing-mail DATA_DIR N RECIPIENT. It prints the name of each operation before performing it.
const [dataDir, last, recipient = ''] = process.argv.slice(2)
const config = readConfig({
  DATA_DIR: dataDir,
  MAIL_INBOX_DOMAIN: 'in.example.com',
  LOG_LEVEL: 'warn',
  MIN_FREE_BYTES: '0',
})
const { deps, close } = await openDeps(config, createLogger(config))
// Reads mails in this process, so that writes to scratch files are watched too.
deps.readers = openInlineReader(config, Date.now)
await watchOperations(last)
const { signal } = new AbortController()
await receiveMail(deps, { recipient, body: toBody(writeMail()), signal })
deps.queue.start(allJobs.map((job) => job.toHandler(deps)))
await claimDueWork(deps)
await deps.queue.idle()
await close()
