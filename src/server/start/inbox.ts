import '../process/without-debugger.mjs'
import { ConfigError, loadDotEnv, readConfig } from '../config'
import { openDeps } from '../deps'
import { startBeating } from '../features/operations/system/processes'
import { checkServing } from '../http/health'
import { hasInbox, openInbox } from '../inbox/inbox-process'
import { createLogger } from '../observability/logger'
import { awaitRestore } from './await-restore'
import { exitForRestore } from './exit-for-restore'
import { warnOfMissingWalls } from './missing-walls'
import { warnOfOpenDebugger } from './open-debugger'
import { startOperatorServer } from './operator-server'
import { describeOwnProcess } from './own-process'
import { prepareDatabase } from './prepare-database'
import { watchRestores } from './restore-watch'
import { closeOnSignal } from './shutdown'
import { reportStartFailure } from './start-failure'
import { startTelemetry } from './telemetry'
import { requireUsableBuckets } from './usable-buckets'

// npm run inbox: receives files over SFTP and by mail, and lets retailers fetch theirs, apart from the processes that do background
// work. It shares the database and the files with them.
try {
  loadDotEnv()
  const config = readConfig()
  if (!hasInbox(config)) {
    throw new ConfigError(
      'Neither SFTP_PORT nor SMTP_INBOX_PORT nor IMAP_URL is set: nothing can come.',
    )
  }
  const logger = createLogger(config)
  warnOfOpenDebugger(logger)
  warnOfMissingWalls(logger)
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  await awaitRestore(config, print)
  const { deps, close } = await openDeps(config, logger)
  await requireUsableBuckets(config)
  await prepareDatabase(deps, { report: print })
  const stopTelemetry = await startTelemetry(deps)
  const inbox = openInbox(deps)
  let isStopping = false
  const operator = await startOperatorServer(deps, {
    port: config.inboxPort,
    variable: 'INBOX_PORT',
    async check() {
      if (isStopping) throw new Error('The inbox is stopping')
      await checkServing(deps)
      const state = inbox?.state() ?? {}
      const waiting = Object.entries(state).flatMap(([name, way]) =>
        way === 'waiting' ? name : [],
      )
      if (waiting.length > 0) throw new Error(`Not listening: ${waiting.join(', ')}`)
      return { inbox: state }
    },
  })
  const stopBeating = startBeating(deps, describeOwnProcess('inbox'))
  const end = async () => {
    isStopping = true
    await stopWatching()
    await inbox?.close()
    await operator.close()
    await stopBeating()
    await stopTelemetry()
    await close()
  }
  const stopWatching = watchRestores(deps, { onStop: () => exitForRestore(logger, end) })
  closeOnSignal(logger, end)
  const { sftp, smtpInbox, imap } = config
  if (sftp) await inbox?.listening
  if (smtpInbox) await inbox?.takesMails
  const ways = [
    sftp && `SFTP at ${sftp.host}:${sftp.port}`,
    smtpInbox && `mails at port ${smtpInbox.port}`,
    imap && `the mailbox at ${imap.host}`,
  ]
  print(`The inbox is ready: ${ways.filter(Boolean).join(', ')}`)
  print(`  its health at ${operator.url}/readyz, its metrics at ${operator.url}/metrics`)
} catch (error) {
  reportStartFailure(error)
}
