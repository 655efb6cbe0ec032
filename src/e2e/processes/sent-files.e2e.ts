import { createServer, type Socket } from 'node:net'

import { afterEach, describe, expect, it } from 'vitest'

import { putDestination } from '../../server/testing/fixtures/destinations'
import { createLinkedRetailer } from '../../server/testing/fixtures/factories'
import { figure, secondsSince, toSeconds } from '../../server/testing/fixtures/figures'
import { listenOnLoopback } from '../../server/testing/servers/loopback'
import type { TestDeps } from '../../server/testing/stages/test-deps'
import { startFileReceiver, type FileReceiver } from '../support/file-receiver'
import { until } from '../support/rest-client'
import { startSendingProduct, type SendingProduct } from '../support/sending-product'

const ROUNDS = 3
const DESTINATIONS = 5
const ANSWER = `HTTP/1.1 201 Created\r\n${'X-Slow: yes\r\n'.repeat(1_000)}`

/** Takes all it is sent, and answers never, or a byte each second. */
async function startSilentServer(isDripping: boolean) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let at = 0
    const drip = isDripping && setInterval(() => socket.write(ANSWER[at++] ?? '\r\n'), 1_000)
    socket
      .on('error', () => undefined)
      .on('close', () => {
        sockets.delete(socket)
        if (drip) clearInterval(drip)
      })
    socket.resume()
  })
  return {
    host: `127.0.0.1:${await listenOnLoopback(server)}`,
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let web: FileReceiver
let stage: SendingProduct
let silent: Awaited<ReturnType<typeof startSilentServer>>[]
afterEach(async () => {
  // Files on their way would have 20 s.
  await stage.close('SIGKILL')
  await web.close()
  await Promise.all(silent.map((server) => server.close()))
})

describe('the destinations of a company that take files and do not answer', () => {
  it('do not delay the files of another one', async () => {
    web = await startFileReceiver()
    silent = await Promise.all(
      Array.from({ length: DESTINATIONS }, (_, index) => startSilentServer(index >= 3)),
    )
    const addSilent = async (deps: TestDeps) => {
      const supplier = await deps.db
        .selectFrom('users')
        .selectAll()
        .where('role', '=', 'SUPPLIER')
        .executeTakeFirstOrThrow()
      const other = await createLinkedRetailer(deps, supplier as never)
      for (const { host } of silent) {
        const config = { url: `http://${host}/in/` }
        await putDestination(deps, other.id, { config, checkAt: 0 })
      }
    }
    const hosts = [web, ...silent].map(({ host }) => host)
    stage = await startSendingProduct({ FETCH_ALLOW: hosts.join() }, addSilent)
    const countOpen = async () => silent.reduce((sum, server) => sum + server.open(), 0)
    await until(countOpen, (open) => open === 2)
    const id = await stage.add({ name: 'Web', config: { url: web.url } })
    let slowest = 0
    for (let round = 0; round < ROUNDS; round++) {
      const version = await stage.publish(1_024 + round)
      const started = performance.now()
      const sent = await stage.untilSent(id, version)
      slowest = Math.max(slowest, secondsSince(started))
      expect(sent.attempts).toBe(1)
      expect(web.received.at(-1)).toMatchObject({ sha256: sent.sha256, path: '/in/inventory.csv' })
      // Two at most of its files are on their way, and still are.
      expect(await countOpen()).toBe(2)
    }
    const what = 'a file sent beside five destinations of another company that do not answer'
    figure('fair shares', what, toSeconds(slowest), '≤ 10 s')
  })
})
