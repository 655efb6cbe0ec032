import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, request as send, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { findFreePort } from '../src/server/testing/servers/free-port'
import { createCleanups, type Cleanups } from '../tools/bench/cleanups'
import { runNginx } from '../tools/bench/run-nginx'
import { adaptSite } from '../tools/fleet/load-balancer'

const NGINX = '/usr/sbin/nginx'
const SECRET = 'secret-of-an-address'
const PATHS = [
  `/feeds/${SECRET}/inventory.csv`,
  `/feeds/${SECRET}/inventory.csv?since=1`,
  `/files/${SECRET}`,
  `/unsubscribe/${SECRET}`,
  `/upload/${SECRET}`,
  `/api/upload/${SECRET}`,
  `//feeds//${SECRET}/inventory.csv`,
  `/%66eeds/${SECRET}/inventory.csv`,
  `/api/../feeds/${SECRET}/inventory.csv`,
]
/** More than nginx accepts. */
const TOO_LARGE = 3 * 1024 * 1024

let folder: string
let cleanups: Cleanups
let web: Server
let site: string
let port: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-nginx-'))
  cleanups = createCleanups()
  // Ends the connection without an answer, like a process that has crashed.
  web = createServer((request) => request.socket.destroy())
  await new Promise<void>((resolve) => {
    web.listen(0, '127.0.0.1', resolve)
  })
  port = await findFreePort()
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  const config = await readFile('deploy/nginx.fleet.conf', 'utf8')
  site = adaptSite(config.replace('/dev/stdout', join(folder, 'access.log')), port, [url])
})
afterEach(async () => {
  await cleanups.run()
  web.close()
  await rm(folder, { recursive: true })
})

/** Sends the path as it is, which `fetch` would normalize. */
function ask(path: string, method = 'GET', bytes = 0, more = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': bytes, ...more }
    // A connection of its own: nginx closes those on which it has not read all of a body.
    const options = { host: '127.0.0.1', port, path, method, headers, agent: false }
    const request = send(options, (response) => resolve(response.resume().statusCode))
    request.on('error', reject)
    request.end(Buffer.alloc(bytes))
  })
}

describe.skipIf(!existsSync(NGINX))('nginx', () => {
  it('lets files be large where they are sent, and nothing else', async () => {
    await runNginx(join(folder, 'nginx'), site, `http://127.0.0.1:${port}`, cleanups)
    const paths = ['/api/connections/7/file', '/api/connections/preview-file', `/upload/${SECRET}/`]
    for (const path of paths) expect([path, await ask(path, 'PUT', TOO_LARGE)]).toEqual([path, 502])
    expect(await ask('/api/connections/preview', 'POST', TOO_LARGE)).toBe(413)
  })
})

describe.skipIf(!existsSync(NGINX))('the logs of nginx', () => {
  it('have errors, but no secret of an address', async () => {
    const home = join(folder, 'nginx')
    await runNginx(home, site, `http://127.0.0.1:${port}`, cleanups)
    for (const path of PATHS) {
      expect([path, await ask(path)]).toEqual([path, 502])
      await ask(path, 'POST', TOO_LARGE).catch(() => undefined)
    }
    expect(await ask('/api/user')).toBe(502)
    const log = await readFile(join(home, 'error.log'), 'utf8')
    expect(log).toContain('GET /api/user')
    expect(log).not.toContain(SECRET)
  })

  it('have requests, but neither their queries nor where they come from', async () => {
    await runNginx(join(folder, 'nginx'), site, `http://127.0.0.1:${port}`, cleanups)
    const referer = `https://stock.example/unsubscribe/${SECRET}`
    await ask(`/api/user?q=${SECRET}`, 'GET', 0, { referer })
    await ask(PATHS[0]!)
    const readLog = () => readFile(join(folder, 'access.log'), 'utf8')
    await expect.poll(readLog).toContain('"GET /api/user" 502')
    expect(await readLog()).not.toContain(SECRET)
  })
})
