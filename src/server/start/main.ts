import '../process/without-debugger.mjs'
import { fileURLToPath } from 'node:url'

import { loadDotEnv, readConfig } from '../config'
import { describeDatabase } from '../db/database-place'
import { describeBucket } from '../storage/s3/bucket-place'
import { describeInbox } from './describe-inbox'
import { serve } from './serve'
import { closeOnSignal, StoppedError } from './shutdown'
import { reportStartFailure } from './start-failure'

const CLIENT_DIR = fileURLToPath(new URL('../client', import.meta.url))

try {
  loadDotEnv()
  const config = readConfig()
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const showPassword = (password: string) =>
    print(`First sign-in: ${config.adminUsername} / ${password}  (shown this once)`)
  const server = await serve(config, CLIENT_DIR, showPassword, print)
  closeOnSignal(server.deps.logger, () => server.close())
  const lines = [
    `${config.appName} is ready at ${server.url}`,
    `  database  ${describeDatabase(config)}`,
    `  files     ${config.bucket ? describeBucket(config.bucket) : config.filesDir}`,
    `  queue     ${config.redisUrl ? 'Redis' : 'none: processes find their jobs in the database'}`,
    ...(config.webProcesses > 1 ? [`  web       ${config.webProcesses} processes`] : []),
    `  worker    ${config.hasInlineWorker ? 'in this process' : 'in separate processes: npm run worker'}`,
  ]
  lines.push(...describeInbox(config, server.inbox?.state() ?? null))
  if (server.metricsUrl) lines.push(`  metrics   ${server.metricsUrl}`)
  if (config.oidc) lines.push(`  provider  ${config.oidc.issuer}`)
  lines.forEach(print)
} catch (error) {
  if (error instanceof StoppedError) process.exit(0)
  reportStartFailure(error)
}
