import type { Logger } from 'pino'

import type { Config } from '../config'
import { DomainError } from '../domain/errors'
import { buildRestoringApp } from '../http/restoring/restoring-app'
import { UnfinishedRestoreError, type StagedRestore } from '../restore/staged-restore'
import { listen } from './listen'

type Options = {
  restore: StagedRestore
  clientDir: string
  /** How long other processes may take to end, in milliseconds. */
  patienceMs?: number
  /** Receives lines for the operator. */
  print(line: string): void
}

/**
 * Replaces the data by a backup, while a web server of its own answers that this is done. Nothing of the product may be
 * open in this process.
 * @returns why nothing was replaced; undefined once it was
 * @throws UnfinishedRestoreError when the next start has to complete it
 */
export async function putIntoPlace(
  config: Config,
  logger: Logger,
  { restore, clientDir, patienceMs, print }: Options,
): Promise<string | undefined> {
  const state = { step: 'Putting the backup into place', since: new Date().toISOString() }
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
    await restore.complete(print, patienceMs)
    return undefined
  } catch (error) {
    if (error instanceof UnfinishedRestoreError || !(error instanceof DomainError)) throw error
    print(`Nothing was restored: ${error.message}`)
    return error.message
  } finally {
    await app.close()
  }
}
