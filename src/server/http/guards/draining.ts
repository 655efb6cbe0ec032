import { setTimeout as sleep } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'

export type Drain = {
  /** Notes a request that the framework does not know of. @returns what to call at its end */
  begin(): () => void
  isClosing(): boolean
}

/**
 * Lets requests in flight finish when the server closes, for at most `graceMs`. Meanwhile the
 * server keeps listening and responds 503 to every new request, including the readiness probe; then
 * it closes all sockets, idle keep-alive connections included.
 */
export function drainOnClose(app: FastifyInstance, graceMs: number): Drain {
  let open = 0
  let onEmpty: () => void = () => undefined
  let isClosing = false
  const end = () => {
    open -= 1
    if (open === 0) onEmpty()
  }
  const begin = () => {
    open += 1
    return end
  }
  app.addHook('onRequest', (_request, reply, done) => {
    reply.raw.once('close', begin())
    done()
  })
  app.addHook('preClose', async () => {
    isClosing = true
    const isEmpty = new Promise<void>((resolve) => (onEmpty = resolve))
    if (open > 0) await Promise.race([isEmpty, sleep(graceMs, undefined, { ref: false })])
    app.server.closeAllConnections()
  })
  return { begin, isClosing: () => isClosing }
}
