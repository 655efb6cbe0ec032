import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readConfig } from '../config'
import { writeClientFiles } from '../testing/fixtures/client-files'
import { serve, type RunningServer } from './serve'

let directory: string
let servers: RunningServer[]
let shown: string[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-serve-'))
  await writeClientFiles(join(directory, 'client'))
  servers = []
  shown = []
})
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()))
  await rm(directory, { recursive: true, force: true })
})

/** Starts the product on the test's data, with the files of a client. */
async function start(environment: Record<string, string> = {}): Promise<RunningServer> {
  const config = readConfig({
    DATA_DIR: join(directory, 'data'),
    PORT: '0',
    LOG_LEVEL: 'silent',
    MIN_FREE_BYTES: '0',
    ...environment,
  })
  const clientDir = join(directory, 'client')
  const server = await serve(config, clientDir, (password) => void shown.push(password))
  servers.push(server)
  return server
}

async function signIn(url: string, password: string): Promise<number> {
  const { status } = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  return status
}

/** Occupies a port until `free` is called. */
async function holdPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const free = async () => {
    server.close()
    await once(server, 'close')
  }
  return { port: String(port), free }
}

it.each([
  ['::1', '[::1]'],
  ['::', 'localhost'],
  ['0.0.0.0', 'localhost'],
])('with HOST=%s its URL is at %s, and people sign in there', async (host, hostname) => {
  const { url } = await start({ HOST: host, ADMIN_PASSWORD: 'correct horse' })
  expect(new URL(url).hostname).toBe(hostname)
  expect(await signIn(url, 'correct horse')).toBe(200)
})

describe('a first start', () => {
  it('accepts the administrator’s sign-in from the first request on', async () => {
    const { port, free } = await holdPort()
    await free()
    let isStarted = false
    const starting = start({ PORT: port, ADMIN_PASSWORD: 'correct horse' })
    void starting.finally(() => (isStarted = true)).catch(() => undefined)
    const statuses: number[] = []
    while (statuses.length === 0) {
      const status = await signIn(`http://127.0.0.1:${port}`, 'correct horse').catch(() => null)
      if (status !== null) statuses.push(status)
      else if (isStarted) await starting
    }
    expect(statuses).toEqual([200])
    await starting
    expect(shown).toEqual([])
  })

  it('shows the generated password even when it cannot listen', async () => {
    const { port, free } = await holdPort()
    await expect(start({ PORT: port })).rejects.toThrow(`Port ${port} is in use`)
    expect(shown).toEqual([expect.stringMatching(/^[\w-]{16}$/)])
    await free()
    const server = await start({ PORT: port })
    expect(shown).toHaveLength(1)
    expect(await signIn(server.url, shown[0]!)).toBe(200)
  })

  it('creates one administrator when two processes start at once', async () => {
    const [one, two] = await Promise.all([start(), start()])
    expect(shown).toHaveLength(1)
    const users = await one.deps.db.selectFrom('users').select(['username', 'role']).execute()
    expect(users).toEqual([{ username: 'admin', role: 'SUPER_ADMIN' }])
    for (const { url } of [one, two]) expect(await signIn(url, shown[0]!)).toBe(200)
  })
})

describe('the product', () => {
  it.each([
    ['production', 200],
    ['development', 404],
  ])(
    'serves pages in %s with %i (in development, Vite serves the client)',
    async (NODE_ENV, status) => {
      const { url } = await start({ NODE_ENV })
      expect((await fetch(`${url}/supplier`)).status).toBe(status)
    },
  )
})
