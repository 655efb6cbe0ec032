import { fileURLToPath } from 'node:url'

import closeWithGrace from 'close-with-grace'

import { loadDotEnv, readConfig } from './config'
import { serve } from './serve'
import { reportStartFailure } from './start-failure'

const CLIENT_DIR = fileURLToPath(new URL('../client', import.meta.url))
/** A running sync gets 20 s of this, requests in flight 10. */
const STOP_WITHIN_MS = 35_000

try {
  loadDotEnv()
  const config = readConfig()
  const server = await serve(config, CLIENT_DIR)
  closeWithGrace({ delay: STOP_WITHIN_MS, logger: server.deps.logger }, () => server.close())
  const lines = [
    `${config.appName} is ready at ${server.url}`,
    `  database  ${config.databaseFile}`,
    `  files     ${config.filesDir}`,
    `  queue     embedded, ${config.hasInlineWorker ? 'with its worker in this process' : 'without a worker here'}`,
  ]
  if (server.firstPassword) {
    lines.push(`  sign in   ${config.adminUsername} / ${server.firstPassword}  (shown this once)`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
} catch (error) {
  reportStartFailure(error)
}
