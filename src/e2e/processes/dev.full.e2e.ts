import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { DEMO_PASSWORD } from '../../../scripts/demo-data'
import { findFreePort } from '../../server/testing/servers/free-port'
import { listTree } from '../support/process-tree'
import { waitForUrl } from '../support/product'

/** npm run dev -- --demo, on ports of its own. */
let dev: ChildProcess
let output = ''
let url: string
let tempDir: string

beforeAll(async () => {
  tempDir = await mkdtemp(join(tmpdir(), 'stockbridge-e2e-'))
  const port = await findFreePort()
  const env = {
    ...process.env,
    NODE_ENV: undefined,
    HOST: '::1',
    PORT: String(port),
    TMPDIR: tempDir,
  }
  dev = spawn(process.execPath, ['scripts/dev.mjs', '--demo'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // As a shell starts it, so that a signal can be sent to all of them.
    detached: true,
  })
  dev.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  dev.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  url = await waitForUrl(dev)
})
afterAll(async () => {
  if (dev.exitCode === null) await stop()
  await rm(tempDir, { recursive: true, force: true })
})

async function stop() {
  dev.kill()
  await once(dev, 'exit')
}

const post = (path: string, body: object, cookie = '') =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie },
    body: JSON.stringify(body),
  })

it('has the data of the demo behind the address of Vite, and prints mail', async () => {
  const page = await fetch(`${url}/supplier/retailers`)
  expect(await page.text()).toContain('/main.tsx')
  const login = await post('/api/login', { username: 'northbeck', password: DEMO_PASSWORD })
  expect(login.status).toBe(200)
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  const created = await post('/api/retailers/1/feed-addresses', {}, cookie)
  const { path } = (await created.json()) as { path: string }
  await expect.poll(async () => (await fetch(url + path)).status).toBe(200)
  await post('/trpc/alerts.setAddress', { address: 'acme@example.com' }, cookie)
  await expect.poll(() => output).toContain(`${url}/alerts#confirm=`)
})

it('says nothing of a client that is not built, which Vite serves', () => {
  expect(output).not.toMatch(/warn/i)
})

it('ends its server and removes the data on Ctrl-C, whose signal comes from the terminal and from npm', async () => {
  const dataDirs = async () => (await readdir(tempDir)).filter((name) => /-dev-/.test(name))
  const pid = dev.pid ?? Number.NaN
  const tree = await listTree(pid)
  expect(tree.length).toBeGreaterThan(2)
  expect(await dataDirs()).toHaveLength(1)
  const exit = once(dev, 'exit')
  process.kill(-pid, 'SIGINT')
  dev.kill('SIGINT')
  expect(await exit).toEqual([0, null])
  expect(await dataDirs()).toEqual([])
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  // Those whose parent has ended before them are gone when init has noticed.
  await expect.poll(() => tree.filter((member) => existsSync(`/proc/${member}`))).toEqual([])
})
