import { setTimeout as sleep } from 'node:timers/promises'

import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * Lets requests in flight finish when the server closes, for at most `graceMs`. Meanwhile the
 * server keeps listening and responds 503 to every new request, including the readiness probe; then
 * it closes all sockets, idle keep-alive connections included.
 */
export function drainOnClose(app: FastifyInstance, graceMs: number): void {
  const open = new Set<FastifyReply>()
  let onEmpty: () => void = () => undefined
  app.addHook('onRequest', (_request, reply, done) => {
    open.add(reply)
    reply.raw.once('close', () => {
      open.delete(reply)
      if (open.size === 0) onEmpty()
    })
    done()
  })
  app.addHook('preClose', async () => {
    const isEmpty = new Promise<void>((resolve) => (onEmpty = resolve))
    if (open.size > 0) await Promise.race([isEmpty, sleep(graceMs, undefined, { ref: false })])
    app.server.closeAllConnections()
  })
}
