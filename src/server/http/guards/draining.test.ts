import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { drainOnClose } from './draining'

/** Far longer than any of these tests takes. */
const GRACE_MS = 600_000

let app: FastifyInstance
let url: string
let agent: Agent
let finish: () => void
let isAsked: Promise<void>

async function open(graceMs: number) {
  app = Fastify()
  drainOnClose(app, graceMs)
  const isFinished = new Promise<void>((resolve) => (finish = resolve))
  isAsked = new Promise<void>((resolve) => {
    app.get('/slow', async () => {
      resolve()
      await isFinished
      return 'done'
    })
  })
  app.get('/quick', async () => 'quick')
  url = await app.listen({ host: '127.0.0.1', port: 0 })
}

async function ask(path: string): Promise<IncomingMessage> {
  const [response] = (await once(get(`${url}${path}`, { agent }), 'response')) as [IncomingMessage]
  return response
}

beforeEach(() => {
  agent = new Agent({ keepAlive: true })
})
afterEach(async () => {
  finish()
  await app.close()
  agent.destroy()
})

describe('a server that closes', () => {
  it('finishes requests in flight and refuses new ones', async () => {
    await open(GRACE_MS)
    const slow = ask('/slow')
    await isAsked
    const closed = app.close()
    expect((await ask('/quick')).statusCode).toBe(503)
    finish()
    expect(await text(await slow)).toBe('done')
    await closed
  })

  it('does not wait for idle keep-alive connections', async () => {
    await open(GRACE_MS)
    await text(await ask('/quick'))
    expect(Object.keys(agent.freeSockets)).toHaveLength(1)
    await app.close()
    expect(app.server.listening).toBe(false)
  })

  it('aborts a request that takes longer than the grace period', async () => {
    await open(10)
    const slow = ask('/slow')
    await isAsked
    const [closed, cut] = await Promise.allSettled([app.close(), slow])
    expect([closed.status, cut.status]).toEqual(['fulfilled', 'rejected'])
  })
})
