import { startProduct, startWorker, type Product } from '../../src/e2e/support/product'
import { findFreePort } from '../../src/server/testing/servers/free-port'
import type { Cleanups } from '../bench/cleanups'
import { signalAll, type Part } from './part'

/** A process of the product, which is started again as systemd and containers do. */
export type ProgramPart = Part & { url: string; pid(): number }

/**
 * Starts a web or worker process as if on a machine of its own.
 * @param name `web 1`, `worker 1`
 * @param dataDir its data folder
 */
export async function startProgramPart(
  kind: 'web' | 'worker',
  name: string,
  { dataDir, env }: { dataDir: string; env: Record<string, string> },
  cleanups: Cleanups,
): Promise<ProgramPart> {
  const port = `${await findFreePort()}`
  const launch = () =>
    kind === 'web'
      ? startProduct(dataDir, { ...env, WORKER: 'off', PORT: port })
      : startWorker(dataDir, { ...env, WORKER_PORT: port })
  let program: Product = await launch()
  cleanups.add(() => program.stop())
  return {
    name,
    url: program.url,
    pid: () => program.pid,
    async kill() {
      await program.stop('SIGKILL')
    },
    async start() {
      program = await launch()
    },
    freeze: async () => signalAll([program.pid], 'SIGSTOP'),
    thaw: async () => signalAll([program.pid], 'SIGCONT'),
  }
}
