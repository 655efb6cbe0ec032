import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import type { Logger } from 'pino'

import { ConfigError, type Config } from '../config'
import type { Deps } from '../domain/deps'
import { system } from '../process/system'
import { listen } from './listen'
import { startMetrics, type WebServer } from './web-server'

/** What differs between the web processes. */
export type WebProcessTask = { port: number; metricsPort: number | undefined; clientDir: string }
/** What a web process tells once it listens. */
export type WebProcessReady = Pick<WebServer, 'url'>

const isBuilt = import.meta.url.endsWith('.js')
const PROGRAM = fileURLToPath(new URL(isBuilt ? './web.js' : './web.ts', import.meta.url))
const RESTART_AFTER_MS = 1_000

/**
 * Starts as many web processes as are configured; the system shares the connections to one port among
 * them. One that ends is started again. Their metrics are at the ports after METRICS_PORT, which is this
 * process's own.
 * @throws ConfigError when the port is in use, or several processes cannot share one here
 */
export async function startWebProcesses(deps: Deps, clientDir: string): Promise<WebServer> {
  const { config, logger } = deps
  if (!system.sharesPorts) throw new ConfigError('WEB_PROCESSES: several need Linux. Set it to 1.')
  const port = await findFreePort(config)
  const { metricsPort: first } = config
  const operator = await startMetrics(deps)
  const keepers = Array.from({ length: config.webProcesses }, (_, index) => {
    // With 0, each has any that is free.
    const metricsPort = first && first + 1 + index
    return keepRunning({ port, metricsPort, clientDir }, logger)
  })
  const close = async () => {
    await Promise.all(keepers.map((keeper) => keeper.close()))
    await operator?.close()
  }
  try {
    const [ready] = await Promise.all(keepers.map((keeper) => keeper.isReady))
    return { url: ready!.url, metricsUrl: operator ? `${operator.url}/metrics` : null, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The port, once it is known that nobody else listens there: a shared one would be shared with anybody. */
async function findFreePort({ host, port }: Config): Promise<number> {
  const server = createServer()
  const listening = {
    listen: async () => {
      server.listen({ host, port })
      await once(server, 'listening')
      return ''
    },
  }
  await listen(listening, { host, port, hostVariable: 'HOST', portVariable: 'PORT' })
  const { port: found } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return found
}

function keepRunning(task: WebProcessTask, logger: Logger) {
  let child: ChildProcess
  let isClosing = false
  const start = async (): Promise<WebProcessReady> => {
    child = fork(PROGRAM, [JSON.stringify(task)])
    const exited = once(child, 'exit')
    void restartAfter(exited)
    const ended = exited.then(() => {
      throw new Error('A web process ended before it was ready')
    })
    const [ready] = (await Promise.race([once(child, 'message'), ended])) as [WebProcessReady]
    return ready
  }
  const restartAfter = async (exited: Promise<unknown[]>) => {
    const [code, signal] = await exited
    if (isClosing) return
    logger.error({ code, signal }, 'A web process has ended, and is started again')
    await sleep(RESTART_AFTER_MS)
    if (!isClosing) await start().catch(() => undefined)
  }
  return {
    isReady: start(),
    async close() {
      isClosing = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}
