import { readConfig } from '../../config'
import { openDeps } from '../../deps'
import { sendFiles } from '../../features/distribution/destinations/send-files'
import { createLogger } from '../../observability/logger'

// A script that sends the files that are due by mail, and is killed meanwhile: failing-file-mail DATA_DIR SMTP_URL.
const [dataDir, smtpUrl] = process.argv.slice(2)
const config = readConfig({
  DATA_DIR: dataDir,
  SMTP_URL: smtpUrl,
  MAIL_FROM: 'stock@example.com',
  PUBLIC_URL: 'https://stock.example.com',
  LOG_LEVEL: 'warn',
  MIN_FREE_BYTES: '0',
})
const { deps, close } = await openDeps(config, createLogger(config))
await sendFiles(deps, 'quick', new AbortController().signal)
await close()
