import type { Logger } from 'pino'

import type { Config } from '../config'
import { DomainError } from '../domain/errors'
import { toInstant } from '../domain/instant'
import { systemClock } from '../drivers'
import { buildRestoringApp } from '../http/restoring/restoring-app'
import { UnfinishedRestoreError, type StagedRestore } from '../restore/staged-restore'
import { listen } from './listen'

type Options = {
  restore: StagedRestore
  /** Closes what of the product is open in this process, but for its web server. */
  closeProduct?: () => Promise<void>
  clientDir: string
  /** How long other processes may take to end, in milliseconds. */
  patienceMs?: number
  /** Receives lines for the operator. */
  print(line: string): void
}

/**
 * Replaces the data by a backup, while a web server of its own answers that this is done. Nothing of the product may
 * be open in this process then.
 * @returns why nothing was replaced; undefined once it was
 * @throws UnfinishedRestoreError when the next start has to complete it
 */
export async function putIntoPlace(
  config: Config,
  logger: Logger,
  { restore, closeProduct, clientDir, patienceMs, print }: Options,
): Promise<string | undefined> {
  const state = {
    step: 'Waiting until everything has stopped',
    since: toInstant(systemClock.now()),
  }
  const isDevelopment = config.environment === 'development'
  const app = await buildRestoringApp(config, logger, {
    ...(!isDevelopment && { clientDir }),
    progress: () => state,
  })
  const { host, port } = config
  try {
    // Without it, the data are replaced all the same.
    await listen(app, { host, port, hostVariable: 'HOST', portVariable: 'PORT' }).catch(
      (err: unknown) => logger.warn({ err }, 'Nobody is told that a backup is being restored'),
    )
    await closeProduct?.()
    const report = (line: string) => {
      state.step = line
      print(line)
    }
    await restore.complete(report, patienceMs)
    return undefined
  } catch (error) {
    if (error instanceof UnfinishedRestoreError || !(error instanceof DomainError)) throw error
    print(`Nothing was restored: ${error.message}`)
    return error.message
  } finally {
    await app.close()
  }
}
