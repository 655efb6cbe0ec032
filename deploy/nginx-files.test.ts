import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createFeedAddress } from '../src/server/features/distribution/feed-addresses/feed-addresses'
import { loseContent } from '../src/server/testing/fixtures/stored-files'
import { findFreePort } from '../src/server/testing/servers/free-port'
import { startSourceServer, type SourceServer } from '../src/server/testing/servers/source-server'
import { openWorld, type World } from '../src/server/testing/stages/world'
import { createCleanups, type Cleanups } from '../tools/bench/cleanups'
import { runNginx } from '../tools/bench/run-nginx'

const ROWS = 60_000
/** More than is kept in memory. */
const LARGE = `sku,name,category,quantity\r\n${Array.from({ length: ROWS }, (_, row) => `${row},Boot of size ${row % 50},Shoes,${row % 9}\r\n`).join('')}`
/** Of the connection, not of the file. */
const OWN = /^(?:date|connection|keep-alive|server|transfer-encoding|x-request-id)$/

let folder: string
let cleanups: Cleanups
let sourceServer: SourceServer
let world: World
let nginx: string
let address: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-nginx-files-'))
  cleanups = createCleanups()
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  const { deps, app } = world.testApp
  Object.assign(deps.config, { sendsThroughNginx: true })
  sourceServer.set('/inventory.csv', { body: LARGE })
  await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
  deps.clock.advance(25 * 3_600_000)
  await deps.work()
  const { user, id } = world.retailer
  address = (await createFeedAddress(deps, user, id)).path
  const web = await app.listen({ host: '127.0.0.1', port: 0 })
  const port = await findFreePort()
  nginx = `http://127.0.0.1:${port}`
  const files = await readFile('deploy/nginx.files.conf', 'utf8')
  const site = `server {
    listen 127.0.0.1:${port};
    ${files.replace('/var/lib/stockbridge/files/', `${deps.config.filesDir}/`)}
    location / { proxy_pass ${web}; proxy_set_header Host $http_host; }
  }`
  await runNginx(join(folder, 'nginx'), site, nginx, cleanups)
})
afterEach(async () => {
  await cleanups.run()
  await world.testApp.close()
  await sourceServer.close()
  await rm(folder, { recursive: true })
})

async function read(headers: Record<string, string> = {}) {
  const answer = await fetch(nginx + address, {
    headers: { 'accept-encoding': 'identity', ...headers },
  })
  const sent = [...answer.headers].filter(([name]) => !OWN.test(name))
  return { status: answer.status, headers: Object.fromEntries(sent), text: await answer.text() }
}

const findPublished = () =>
  world.testApp.deps.db
    .selectFrom('versions')
    .select('sha256')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()

describe.skipIf(!existsSync('/usr/sbin/nginx'))('a large file that nginx sends', () => {
  it('is the same, with the same headers, as when the product sends it', async () => {
    await read()
    world.testApp.deps.clock.advance(2_000)
    const byNginx = await read()
    Object.assign(world.testApp.deps.config, { sendsThroughNginx: false })
    const direct = await read()
    expect(byNginx.text.length).toBe(LARGE.length)
    expect(byNginx).toEqual(direct)
  })

  it('is sent by nginx at all', async () => {
    const { port } = new URL(world.testApp.app.listeningOrigin)
    const answer = await fetch(`http://127.0.0.1:${port}${address}`)
    expect(answer.headers.get('x-accel-redirect')).toMatch(
      /^\/stored-files\/..\/[0-9a-f]{64}\.csv$/,
    )
    expect(await answer.text()).toBe('')
  })

  it('is judged by the product where the reader has it, or a part of it', async () => {
    const { headers } = await read()
    const etag = headers.etag ?? ''
    expect((await read({ 'if-none-match': etag })).status).toBe(304)
    const part = await read({ range: 'bytes=100-199', 'if-range': etag })
    expect([part.status, part.text]).toEqual([206, LARGE.slice(100, 200)])
  })

  it('is told to be in preparation where it is lost', async () => {
    const { sha256 } = await findPublished()
    await loseContent(world.testApp.deps.files, sha256)
    const { status, text } = await read()
    expect([status, JSON.parse(text).message]).toEqual([
      503,
      'The file is being prepared. Try again in a moment.',
    ])
  })

  it('cannot be had at its own address', async () => {
    const { sha256 } = await findPublished()
    const path = `/stored-files/${sha256.slice(0, 2)}/${sha256}.csv`
    expect((await fetch(nginx + path)).status).toBe(404)
  })

  it('counts as a download of its retailer', async () => {
    await read()
    await world.testApp.deps.pulls.flush()
    const rows = world.testApp.deps.db.selectFrom('recentDownloads').select('newestDownloads')
    const [row] = await rows.execute()
    expect(row?.newestDownloads.map(({ sizeBytes }) => sizeBytes)).toEqual([LARGE.length])
  })
})
