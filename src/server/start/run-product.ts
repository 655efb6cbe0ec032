import { MINUTE_MS } from '../../shared/durations'
import type { Config } from '../config'
import type { StagedRestore } from '../restore/staged-restore'
import { putIntoPlace } from './put-into-place'
import { serve, type RunningServer } from './serve'

/** Others have half a minute to stop. */
const PATIENCE_MS = MINUTE_MS

export type Product = {
  /** What runs now: another one after a restore. */
  server(): RunningServer
  /** Finishes what is in progress, also a backup that replaces the data, and closes everything. */
  close(): Promise<void>
}

type ProductOptions = {
  clientDir: string
  /** Receives the first administrator's password when it was generated. */
  showPassword(password: string): void
  /** Receives lines for the operator. */
  print(line: string): void
  /** Called whenever the product is ready. */
  onReady(server: RunningServer): void
  /** Called when another process restores a backup: this one has to end, and to begin anew. */
  onGivesWay(): void
  /** How long other processes may take to stop, in milliseconds. */
  patienceMs?: number
  /** Called when the product could not be started again after a restore. */
  onFailure(error: unknown): void
}

/**
 * Runs the product, and when an administrator restores a backup, closes it, replaces the data, and runs it again in the same
 * process and at the same port.
 * @throws as `serve`
 */
export async function runProduct(config: Config, options: ProductOptions): Promise<Product> {
  const { clientDir, showPassword, print, onReady, patienceMs = PATIENCE_MS } = options
  let server = await serve(config, clientDir, showPassword, print)
  let isClosing = false
  let restoring = Promise.resolve()

  async function restore(staged: StagedRestore): Promise<void> {
    print(`Restoring ${staged.backup}`)
    const { logger } = server.deps
    const atPort = { ...config, port: server.port }
    await server.closeWeb()
    const problem = await putIntoPlace(atPort, logger, {
      restore: staged,
      closeProduct: server.close,
      clientDir,
      patienceMs,
      print,
    })
    if (isClosing) return
    server = await serve(atPort, clientDir, showPassword, print, problem)
    begin()
  }

  function begin(): void {
    onReady(server)
    void follow()
  }

  async function follow(): Promise<void> {
    const found = await server.givesWay
    if (isClosing) return
    if (found === 'another process') options.onGivesWay()
    else restoring = restore(found).catch(options.onFailure)
  }

  begin()
  return {
    server: () => server,
    async close() {
      isClosing = true
      await restoring
      await server.close()
    },
  }
}
