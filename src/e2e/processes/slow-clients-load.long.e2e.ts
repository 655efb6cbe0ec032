import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { PASSWORD } from '../../server/testing/fixtures/factories'
import { figure, rounds, secondsSince, toSeconds } from '../../server/testing/fixtures/figures'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import { makeDataDir, removeDataDir, startProduct, type Product } from '../support/product'
import { percentile99, timeResponses, toMilliseconds } from '../support/response-times'
import { until, type RestClient } from '../support/rest-client'
import { awaitFile, signIn, seedDataDir, type SeededData } from '../support/seeded-data-dir'
import {
  countDescriptors,
  resetPeakMemory,
  hasVitals,
  listDescriptors,
  readMemory,
  toMegabytes,
} from '../support/vitals'

const execute = promisify(execFile)
const MB = 1024 * 1024
const ROW = '1234,"Boot, brown",Shoes,5\r\n'
const CSV = Buffer.from(`sku,name,category,qty\r\n${ROW.repeat((20 * MB) / ROW.length)}`)
const isLong = Boolean(process.env.LONG)

describe.skipIf(!hasVitals)('slow and hostile clients', () => {
  let sourceServer: SourceServer
  let dataDir: string
  let product: Product
  let seeded: SeededData
  let retailer: RestClient
  let downloadUrl: string

  beforeAll(async () => {
    sourceServer = await startSourceServer()
    sourceServer.set('/feed.csv', { body: CSV })
    dataDir = await makeDataDir()
    seeded = await seedDataDir(dataDir, sourceServer.url('/feed.csv'))
    product = await startProduct(dataDir, {
      FETCH_ALLOW: sourceServer.host,
      LOG_LEVEL: 'warn',
      CALL_LIMITS: 'off',
    })
    retailer = await signIn(product, seeded.retailer.username)
    downloadUrl = await awaitFile(retailer, seeded)
  })
  afterAll(async () => {
    await product.stop()
    await sourceServer.close()
    await removeDataDir(dataDir)
  })

  /** Sends a request's start, then a byte per second. Returns the seconds until the cut-off. */
  async function drip(beginning: string, next: string): Promise<number> {
    const started = performance.now()
    const socket = connect(Number(new URL(product.url).port), '127.0.0.1')
    socket.on('error', () => undefined).resume()
    socket.write(beginning)
    const timer = setInterval(() => next && socket.write(next), 1_000)
    await once(socket, 'close')
    clearInterval(timer)
    return secondsSince(started)
  }

  const KINDS = {
    silent: ['', ''],
    'slow headers': ['GET /api/user HTTP/1.1\r\nhost: a\r\nx-slow: ', 'x'],
    'slow body': [
      'POST /api/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n',
      ' ',
    ],
    'kept alive': ['GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n', ''],
  } satisfies Record<string, [beginning: string, next: string]>
  /** Seconds after which each kind is cut off: its timeout plus two for the check interval. */
  const LIMITS = { silent: 15, 'slow headers': 15, 'slow body': 30, 'kept alive': 5 }

  it('are cut off and do not delay other requests', async () => {
    const descriptors = await countDescriptors(product.pid)
    const count = rounds(100, 500)
    const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[]
    const dripping = Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const kind = kinds[index % kinds.length]!
        return { kind, seconds: await drip(...KINDS[kind]) }
      }),
    )
    const times = await timeResponses(() => retailer.send('GET', '/api/user'), dripping)
    for (const kind of kinds) {
      const lasted = (await dripping).flatMap((drop) => (drop.kind === kind ? drop.seconds : []))
      expect(Math.min(...lasted), kind).toBeGreaterThan(LIMITS[kind] - 1)
      expect(Math.max(...lasted), kind).toBeLessThan(LIMITS[kind] + rounds(15, 5))
      figure('load', `${kind}: cut off after`, toSeconds(Math.max(...lasted)), '≤ 35 s')
    }
    const p99 = percentile99(times)
    figure(
      'load',
      `${count} sockets that drip: others, p99`,
      toMilliseconds(p99),
      '< 100 ms, alone on the machine',
    )
    expect(p99).toBeLessThan(rounds(5_000, 100))
    await until(
      () => countDescriptors(product.pid),
      (open) => open <= descriptors + 2,
    )
  })

  it('do not delay other requests when they all sign in at once', async () => {
    const count = rounds(50, 200)
    const program = ['--import', 'tsx', 'src/e2e/support/concurrent-logins.ts']
    const login = [product.url, seeded.supplier.username, PASSWORD, `${count}`]
    const logins = execute(process.execPath, [...program, ...login])
    const times = await timeResponses(() => retailer.send('GET', '/healthz'), logins)
    const statuses = JSON.parse((await logins).stdout) as number[]
    expect(statuses).toContain(200)
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
    const p99 = percentile99(times)
    figure(
      'load',
      `${count} logins at once: /healthz, p99`,
      toMilliseconds(p99),
      '< 250 ms, alone on the machine',
    )
    expect(p99).toBeLessThan(rounds(5_000, 250))
  })

  /** Downloads the file, over ten seconds if slow. @throws Error when the content differs */
  async function download(isSlow: boolean): Promise<void> {
    const headers = { cookie: retailer.cookie() }
    const request = get(`${product.url}${downloadUrl}`, { agent: false, headers })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    let received = 0
    let unpaused = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      const isRight = CSV.subarray(received, received + chunk.length).equals(chunk)
      if (!isRight) throw new Error(`The content differs after byte ${received}`)
      received += chunk.length
      unpaused += chunk.length
      if (isSlow && unpaused > MB / 2) {
        unpaused = 0
        await sleep(250)
      }
    }
    if (received !== CSV.length) throw new Error(`${received} of ${CSV.length} bytes`)
  }

  it('get the whole file with little memory when they download all at once', async () => {
    const count = rounds(50, 200)
    await resetPeakMemory(product.pid)
    const started = performance.now()
    await Promise.all(Array.from({ length: count }, (_, index) => download(index % 2 === 0)))
    const { peak } = await readMemory(product.pid)
    const measured = `no error in ${toSeconds(secondsSince(started))}, ${toMegabytes(peak)} RSS`
    figure('load', `${count} downloads of 20 MB at once`, measured, 'no error, < 400 MB')
    expect(peak).toBeLessThan(400 * MB)
  })

  it.runIf(isLong)(
    'are cut off within two minutes when they stop reading',
    async () => {
      const headers = { cookie: retailer.cookie() }
      const request = get(`${product.url}${downloadUrl}`, { agent: false, headers })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      response.pause()
      const started = performance.now()
      const listOpenFiles = async () =>
        (await listDescriptors(product.pid)).filter((path) => path.endsWith('.csv'))
      expect(await listOpenFiles()).toHaveLength(1)
      await until(listOpenFiles, (open) => open.length === 0, 200_000)
      const seconds = secondsSince(started)
      response.destroy()
      figure('load', 'a reader that stops: cut off after', toSeconds(seconds), '≤ 125 s')
      expect(seconds).toBeGreaterThan(50)
    },
    300_000,
  )
})
