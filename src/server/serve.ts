import { buildApp } from './app'
import type { Config } from './config'
import { migrateToLatest } from './db/migrate'
import { openDeps } from './deps'
import { ensureFirstAdmin } from './domain/administrators'
import type { Deps } from './domain/deps'
import { startWorking } from './jobs/scheduler'
import { createLogger } from './logger'
import { readOrCreateSecret } from './secret-file'

export type RunningServer = {
  deps: Deps
  /** Where the product answers. */
  url: string
  /** The first administrator's password, when it was made up just now. */
  firstPassword: string | null
  /** Finishes what is under way, then closes everything. */
  close(): Promise<void>
}

/** Brings the product up: database, web server and, unless it runs elsewhere, the worker. */
export async function serve(config: Config, clientDir: string): Promise<RunningServer> {
  const { deps, close: closeDeps } = await openDeps(config, createLogger(config))
  try {
    await migrateToLatest(deps.db)
    const firstPassword = await ensureFirstAdmin(deps)
    const sessionSecret = config.sessionSecret ?? (await readOrCreateSecret(config.dataDir))
    const app = await buildApp(deps, { sessionSecret, clientDir })
    const address = await app.listen({ host: config.host, port: config.port })
    const stopWorking = config.hasInlineWorker ? startWorking(deps) : async () => undefined
    return {
      deps,
      url: config.publicUrl ?? address.replace('127.0.0.1', 'localhost'),
      firstPassword,
      async close() {
        await stopWorking()
        await app.close()
        await closeDeps()
      },
    }
  } catch (error) {
    await closeDeps()
    throw error
  }
}
