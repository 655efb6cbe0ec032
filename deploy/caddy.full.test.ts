import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { until } from '../src/e2e/support/rest-client'
import { buildApp } from '../src/server/app'
import { createFeedAddress } from '../src/server/features/distribution/feed-addresses/feed-addresses'
import { PASSWORD } from '../src/server/testing/fixtures/factories'
import { findFreePort } from '../src/server/testing/servers/free-port'
import { startSourceServer, type SourceServer } from '../src/server/testing/servers/source-server'
import { openLiveStream } from '../src/server/testing/stages/live-stream'
import { SESSION_SECRET } from '../src/server/testing/stages/test-app'
import { openWorld, type World } from '../src/server/testing/stages/world'
import type { LiveItem } from '../src/shared/schemas/live'

const CADDY = '/usr/bin/caddy'
const STARTED_WITHIN_MS = 30_000
/** An address of this machine that is not the proxy's own. */
const CLIENT = '127.0.0.9'

let folder: string
let sourceServer: SourceServer
let world: World
let app: FastifyInstance
let origin: string
let address: string
let stopCaddy: () => Promise<void>
let readLog: () => string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-caddy-'))
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  const { deps } = world.testApp
  Object.assign(deps.config, { trustProxy: ['127.0.0.1'] })
  app = await buildApp(deps, { sessionSecret: SESSION_SECRET })
  address = (await createFeedAddress(deps, world.retailer.user, world.retailer.id)).path
  const web = await app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${await findFreePort()}`
  await startCaddy(web)
})
afterEach(async () => {
  await stopCaddy()
  await app.close()
  await world.testApp.close()
  await sourceServer.close()
  await rm(folder, { recursive: true })
})

/** Starts Caddy with the file that is delivered, without a certificate, in front of the app. */
async function startCaddy(web: string): Promise<void> {
  const delivered = await readFile('deploy/Caddyfile', 'utf8')
  const adapted = delivered
    .replace(/^\{$/m, '{\n\tadmin off')
    .replace(/^stock\.example\.com /m, `${origin} `)
    .replace('reverse_proxy 127.0.0.1:3000', `reverse_proxy ${new URL(web).host}`)
  const config = join(folder, 'Caddyfile')
  await writeFile(config, adapted)
  const child = spawn(CADDY, ['run', '--config', config, '--adapter', 'caddyfile'], {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (log += piece))
  readLog = () => log
  stopCaddy = async () => {
    if (child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
  await until(() => fetch(origin).then(Boolean, () => false), Boolean, STARTED_WITHIN_MS)
}

/** A request as `fetch` cannot make it: from another address of this machine. */
async function ask(path: string, headers: Record<string, string>, body?: object) {
  const request = send(`${origin}${path}`, {
    method: body ? 'POST' : 'GET',
    localAddress: CLIENT,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    agent: false,
  })
  request.end(body && JSON.stringify(body))
  const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream]
  return text(response)
}

describe.skipIf(!existsSync(CADDY))('behind Caddy', () => {
  it('a feed address is read whole, in part, or not again', async () => {
    const whole = await fetch(origin + address)
    const direct = await fetch(app.listeningOrigin + address)
    const file = await whole.text()
    expect([whole.status, file]).toEqual([200, await direct.text()])
    expect(file).toContain('Boot')
    const etag = whole.headers.get('etag') ?? ''
    expect(etag).toBe(direct.headers.get('etag'))
    const part = await fetch(origin + address, {
      headers: { range: 'bytes=2-5', 'if-range': etag },
    })
    expect([part.status, await part.text()]).toEqual([206, file.slice(2, 6)])
    const again = await fetch(origin + address, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })

  it('changes are seen when they happen', async () => {
    const { deps } = world.testApp
    const owner = world.clients.owningSupplier
    const stream = await openLiveStream(app, owner, origin)
    expect(await stream.next()).not.toBe(null)
    sourceServer.set('/inventory.csv', { status: 500 })
    await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
    await deps.work()
    const isFailing = (item: LiveItem) =>
      item.kind === 'connection' && item.connection.consecutiveFailures > 0
    expect(await stream.until(isFailing)).toBeDefined()
    stream.close()
  })

  it('clients have their own addresses, whatever they say', async () => {
    const { deps } = world.testApp
    const username = world.supplier.username
    await deps.db.deleteFrom('knownAddresses').execute()
    await ask('/api/login', { 'x-forwarded-for': '203.0.113.9' }, { username, password: PASSWORD })
    const rows = await deps.db.selectFrom('knownAddresses').select('address').execute()
    expect(rows.map((row) => row.address)).toEqual([CLIENT])
  })

  it('no secret of an address is in the log, not even when the product is gone', async () => {
    await fetch(origin + address)
    await app.close()
    const gone = await fetch(origin + address, { headers: { referer: origin + address } })
    expect(gone.status).toBe(502)
    await expect.poll(readLog).toContain('"status":502')
    expect(readLog()).not.toContain(address.split('/')[2])
  })
})
