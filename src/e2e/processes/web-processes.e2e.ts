import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { listTree } from '../support/process-tree'
import { makeDataDir, removeDataDir, startProduct, type Product } from '../support/product'
import { until } from '../support/rest-client'
import { seedDataDir, signIn } from '../support/seeded-data-dir'

const PROCESSES = 2

let dataDir: string
let product: Product

const start = () =>
  startProduct(dataDir, {
    WEB_PROCESSES: String(PROCESSES),
    LOG_LEVEL: 'error',
    CALL_LIMITS: 'off',
    METRICS_PORT: '0',
  })

beforeEach(async () => {
  dataDir = await makeDataDir()
})
afterEach(() => removeDataDir(dataDir))

/** The web processes, by their ids. */
async function listWebProcesses(): Promise<number[]> {
  const isWeb = async (pid: number) =>
    /\/web\.js/.test(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))
  const pids = await listTree(product.pid)
  const found = await Promise.all(pids.map(isWeb))
  return pids.filter((_pid, index) => found[index])
}

/** Asks over a new connection, so that any of the processes may answer. */
async function ask(path: string, headers: Record<string, string> = {}) {
  const agent = new Agent({ keepAlive: false })
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(product.url + path, { agent, headers }, resolve).once('error', reject)
  })
  return { status: answer.statusCode, text: await text(answer) }
}

/** What is answered to as many requests as reach every process. */
async function askAll(path: string, headers?: Record<string, string>): Promise<Set<unknown>> {
  const statuses = new Set<unknown>()
  for (let count = 0; count < 40; count += 1) statuses.add((await ask(path, headers)).status)
  return statuses
}

describe.skipIf(process.platform !== 'linux')('several web processes', () => {
  it('share a port and what they know: who is signed in, and what is revoked', async () => {
    const seeded = await seedDataDir(dataDir, 'http://192.0.2.1/feed.csv')
    product = await start()
    expect(await listWebProcesses()).toHaveLength(PROCESSES)
    const retailer = await signIn(product, seeded.retailer.username)
    const cookie = { cookie: retailer.cookie() }
    expect(await askAll('/api/user', cookie)).toEqual(new Set([200]))
    const { id } = seeded.retailer
    const address = await retailer.send('POST', `/api/retailers/${id}/feed-addresses`)
    const { path } = address.body as { path: string }
    expect((await ask(path)).text).toContain('No file is available yet')
    await retailer.send('DELETE', `/api/retailers/${id}/feed-addresses`)
    expect((await ask(path)).text).toContain('Feed not found')
    await retailer.send('POST', '/api/logout')
    await expect.poll(() => askAll('/api/user', cookie)).toEqual(new Set([401]))
    expect(await product.stop()).toBe(0)
    expect(existsSync(`/proc/${product.pid}`)).toBe(false)
  })

  it('go on when one of them dies, which is started again', async () => {
    product = await start()
    const [first = 0] = await listWebProcesses()
    process.kill(first, 'SIGKILL')
    await until(listWebProcesses, (pids) => pids.length === PROCESSES && !pids.includes(first))
    await expect.poll(() => askAll('/readyz')).toEqual(new Set([200]))
    expect(await product.stop()).toBe(0)
  })

  it('do not share their port with anybody else', async () => {
    product = await start()
    const { port } = new URL(product.url)
    const other = await makeDataDir()
    const second = startProduct(other, { WEB_PROCESSES: String(PROCESSES), PORT: port })
    await expect(second).rejects.toThrow(`Port ${port} is in use.`)
    await removeDataDir(other)
    await product.stop()
  })

  it('end when the process that started them is killed', async () => {
    product = await start()
    const pids = await listWebProcesses()
    await product.stop('SIGKILL')
    const isRunning = async () => pids.some((pid) => existsSync(`/proc/${pid}`))
    expect(await until(isRunning, (running) => !running)).toBe(false)
  })
})
