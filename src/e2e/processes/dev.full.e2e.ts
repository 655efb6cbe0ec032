import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { DEMO_PASSWORD } from '../../../scripts/demo-data'
import { findFreePort } from '../../server/testing/free-port'
import { waitForUrl } from '../product'

/** npm run dev -- --demo, on ports of its own. */
let dev: ChildProcess
let output = ''
let url: string
let tempDir: string

beforeAll(async () => {
  tempDir = await mkdtemp(join(tmpdir(), 'stockbridge-e2e-'))
  const port = await findFreePort()
  const env = { ...process.env, NODE_ENV: undefined, PORT: String(port), TMPDIR: tempDir }
  dev = spawn(process.execPath, ['scripts/dev.mjs', '--demo'], {
    env,
    stdio: ['ignore', 'pipe', 2],
  })
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

it('ends its server and removes the data when it is stopped', async () => {
  const dataDirs = async () => (await readdir(tempDir)).filter((name) => /-dev-/.test(name))
  expect(await dataDirs()).toHaveLength(1)
  await stop()
  expect(await dataDirs()).toEqual([])
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})
