import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'

import { afterEach, describe, expect, it } from 'vitest'

import { openTestApp, type TestApp } from '../../stages/test-app'

const BEHIND_PROXY = { trustProxy: ['127.0.0.1'] }
const REQUEST = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'

let testApp: TestApp
let sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await testApp.close()
})

async function start(config: Parameters<typeof openTestApp>[0] = {}): Promise<void> {
  testApp = await openTestApp(config)
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
}

/** Both ends of a new connection. */
async function open(): Promise<{ client: Socket; server: Socket }> {
  const { server } = testApp.app
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined)
  sockets.push(client)
  const [[accepted]] = (await Promise.all([
    once(server, 'connection'),
    once(client, 'connect'),
  ])) as [[Socket], unknown]
  return { client, server: accepted }
}

async function ask(client: Socket): Promise<string> {
  client.write(REQUEST)
  const [chunk] = (await once(client, 'data')) as [Buffer]
  return chunk.toString()
}

describe('an idle keep-alive connection', () => {
  it.each([
    ['5 seconds', 'there is no proxy', {}, 5],
    ['75 seconds', 'a proxy is configured, longer than proxies keep theirs', BEHIND_PROXY, 75],
  ])('stays open for %s when %s', async (_time, _where, config, seconds) => {
    await start(config)
    const { client, server } = await open()
    expect(await ask(client)).toContain(`\r\nKeep-Alive: timeout=${seconds}\r\n`)
    // Newer versions of Node add a second for requests in transit.
    const isArmed = () => [seconds, seconds + 1].some((time) => time * 1_000 === server.timeout)
    await expect.poll(isArmed).toBe(true)
  })

  it('is not cut off by the header timeout, which starts with the first byte', async () => {
    await start(BEHIND_PROXY)
    const { client: idle } = await open()
    expect(await ask(idle)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    const { client: slow } = await open()
    slow.write('GET / HTTP/1.1\r\n')
    Object.assign(testApp.app.server, { headersTimeout: 1, requestTimeout: 1 })
    // One check of all connections closes the one with a partial request and leaves the idle one.
    const [chunk] = (await once(slow, 'data')) as [Buffer]
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    Object.assign(testApp.app.server, { headersTimeout: 15_000, requestTimeout: 30_000 })
    expect(await ask(idle)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it('is closed at once when the server closes', async () => {
    await start(BEHIND_PROXY)
    const { client, server } = await open()
    await ask(client)
    await expect.poll(() => server.timeout).toBeGreaterThanOrEqual(75_000)
    const closed = once(client, 'close')
    await testApp.app.close()
    await closed
    expect(testApp.app.server.listening).toBe(false)
  })
})
