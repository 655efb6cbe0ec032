import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
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
let printed: string[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-serve-'))
  await writeClientFiles(join(directory, 'client'))
  servers = []
  shown = []
  printed = []
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
  const show = (password: string) => void shown.push(password)
  const server = await serve(config, clientDir, show, (line) => void printed.push(line))
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

describe('a first start in the browser', () => {
  const tokenFile = () => join(directory, 'data', 'setup-token')
  const send = (url: string, body: object) =>
    fetch(new URL('/api/setup', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'operator', password: 'correct horse', ...body }),
    })
  /** The address that is printed, as soon as it is. */
  const findPage = async (count = 1) => {
    await expect.poll(() => printed.length).toBe(count)
    const [, url = '', token = ''] =
      /at (http\S+?\/setup)(?:#token=(\S+))?/.exec(printed.at(-1)!) ?? []
    return { url, token }
  }

  it('prints the address with the token once, and is the product once somebody has set it up', async () => {
    const starting = start({ SETUP: 'browser' })
    const { url, token } = await findPage()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(await readFile(tokenFile(), 'utf8')).toBe(token)
    expect((await stat(tokenFile())).mode & 0o777).toBe(0o600)
    expect(await signIn(new URL(url).origin, 'x')).toBe(503)
    expect((await send(url, { token })).status).toBe(201)
    const server = await starting
    expect(new URL(server.url).port).toBe(new URL(url).port)
    expect((await send(server.url, { token, username: 'second' })).status).toBe(404)
    expect((await fetch(`${server.url}/api/setup`)).status).toBe(404)
    expect((await fetch(`${server.url}/setup`)).status).toBe(404)
    expect(shown).toEqual([])
    await expect(stat(tokenFile())).rejects.toThrow('ENOENT')
    const users = await server.deps.db.selectFrom('users').select(['username', 'role']).execute()
    expect(users).toEqual([{ username: 'operator', role: 'SUPER_ADMIN' }])
  })

  it('has one token for all processes of a folder, and tells later ones where it is', async () => {
    const first = start({ SETUP: 'browser' })
    const one = await findPage()
    const second = start({ SETUP: 'browser' })
    const other = await findPage(2)
    expect(printed.at(-1)).toContain(`with the token in ${tokenFile()}`)
    const answers = await Promise.all([
      send(one.url, { token: one.token, username: 'one' }),
      send(other.url, { token: one.token, username: 'two' }),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404])
    const [server] = await Promise.all([first, second])
    const users = await server.deps.db.selectFrom('users').select('role').execute()
    expect(users).toEqual([{ role: 'SUPER_ADMIN' }])
  })

  it('goes on when an administrator is made by other means', async () => {
    const starting = start({ SETUP: 'browser' })
    await findPage()
    const other = await start({ ADMIN_PASSWORD: 'correct horse' })
    const server = await starting
    expect(await signIn(server.url, 'correct horse')).toBe(200)
    await other.close()
    servers = [server]
  })

  it('is left out with ADMIN_PASSWORD, or an administrator', async () => {
    const unattended = await start({ SETUP: 'browser', ADMIN_PASSWORD: 'correct horse' })
    const again = await start({ SETUP: 'browser' })
    for (const { url } of [unattended, again]) expect(await signIn(url, 'correct horse')).toBe(200)
    expect(printed).toEqual([])
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
