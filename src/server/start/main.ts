import '../process/without-debugger.mjs'
import { fileURLToPath } from 'node:url'

import { loadDotEnv, readConfig, type Config } from '../config'
import { describeDatabase } from '../db/database-place'
import { describeBucket } from '../storage/s3/bucket-place'
import { describeInbox } from './describe-inbox'
import { exitForRestore } from './exit-for-restore'
import { runProduct } from './run-product'
import type { RunningServer } from './serve'
import { closeOnSignal, StoppedError } from './shutdown'
import { reportStartFailure } from './start-failure'

const CLIENT_DIR = fileURLToPath(new URL('../client', import.meta.url))

try {
  loadDotEnv()
  const config = readConfig()
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const product = await runProduct(config, {
    clientDir: CLIENT_DIR,
    showPassword: (password) =>
      print(`First sign-in: ${config.adminUsername} / ${password}  (shown this once)`),
    print,
    onReady: (server) => describe(config, server).forEach(print),
    onGivesWay: () => exitForRestore(product.server().deps.logger, product.close),
    onFailure: reportStartFailure,
  })
  closeOnSignal(product.server().deps.logger, product.close)
} catch (error) {
  if (error instanceof StoppedError) process.exit(0)
  reportStartFailure(error)
}

function describe(config: Config, server: RunningServer): string[] {
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
  return lines
}
