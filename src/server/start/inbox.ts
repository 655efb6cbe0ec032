import '../process/without-debugger.mjs'
import { ConfigError, loadDotEnv, readConfig } from '../config'
import { openDeps } from '../deps'
import { openInbox } from '../inbox/inbox-process'
import { createLogger } from '../observability/logger'
import { warnOfMissingWalls } from './missing-walls'
import { warnOfOpenDebugger } from './open-debugger'
import { prepareDatabase } from './prepare-database'
import { closeOnSignal } from './shutdown'
import { reportStartFailure } from './start-failure'
import { requireUsableBuckets } from './usable-buckets'

// npm run inbox: receives files over SFTP, and lets retailers fetch theirs, apart from the processes that do background
// work. It shares the database and the files with them.
try {
  loadDotEnv()
  const config = readConfig()
  if (!config.sftp) throw new ConfigError('SFTP_PORT is not set: there is nothing to listen on.')
  const logger = createLogger(config)
  warnOfOpenDebugger(logger)
  warnOfMissingWalls(logger)
  const { deps, close } = await openDeps(config, logger)
  await requireUsableBuckets(config)
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  await prepareDatabase(deps, { report: print })
  const inbox = openInbox(deps)
  closeOnSignal(logger, async () => {
    await inbox?.close()
    await close()
  })
  await inbox?.listening
  print(`The inbox is ready, SFTP at ${config.sftp.host}:${config.sftp.port}`)
} catch (error) {
  reportStartFailure(error)
}
