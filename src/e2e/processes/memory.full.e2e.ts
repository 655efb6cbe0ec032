import { stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openDatabase } from '../../server/db/open'
import { figure, rounds, secondsSince, toSeconds } from '../../server/testing/fixtures/figures'
import { makeLargeBook, makeLargeText } from '../../server/testing/fixtures/large-book'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import type { FileListing } from '../../shared/schemas/file'
import { listTree, readProportionalMemory } from '../support/process-tree'
import { makeDataDir, removeDataDir, startProduct, type Product } from '../support/product'
import { timeResponses } from '../support/response-times'
import { until, type RestClient } from '../support/rest-client'
import { awaitFile, signIn, seedDataDir, type SeededData } from '../support/seeded-data-dir'
import { countDescriptors, hasVitals, toMegabytes } from '../support/vitals'

const MB = 1024 * 1024
const GB = 1024 * MB

/** Duration of the soak test in minutes. */
const SOAK_MINUTES = Number(process.env.SOAK_MINUTES ?? rounds(0.2, 30))

/** Streams a realistic CSV file of about `sizeBytes` without holding it in memory. */
function* writeCsv(sizeBytes: number, delimiter: string, prefix = '') {
  yield ['sku', 'name', 'category', delimiter === ',' ? 'qty' : 'stock'].join(delimiter) + '\r\n'
  let written = 0
  for (let row = 0; written < sizeBytes;) {
    let piece = ''
    while (piece.length < 64 * 1024) {
      row += 1
      piece += `${[prefix + row, '"Boot, brown; size 42"', `Shoes > Kind ${row % 500}`, row % 97].join(delimiter)}\r\n`
    }
    written += piece.length
    yield piece
  }
}

/** In all processes, of which the reader has half. */
const PREVIEW_MEGABYTES = 96
/** Where XML is read, strings are made of it, so that the heap of the reader becomes as large as it may. */
const MAX_XML_MEGABYTES = 128
/** The most that different texts of a workbook take in its reader. */
const MAX_SHARED_MEGABYTES = 96

describe.skipIf(!hasVitals)('the memory of the product', () => {
  let sourceServer: SourceServer
  let dataDir: string
  let product: Product
  let seeded: SeededData
  let supplier: RestClient
  let retailer: RestClient

  let books: Record<'inline' | 'shared' | 'html' | 'spreadsheetml', Buffer>

  beforeAll(async () => {
    // Making them takes so long that a connection which is open meanwhile is closed.
    books = {
      inline: makeLargeBook(50 * MB, false),
      shared: makeLargeBook(50 * MB, true),
      html: makeLargeText(50 * MB, 'html'),
      spreadsheetml: makeLargeText(50 * MB, 'spreadsheetml'),
    }
    sourceServer = await startSourceServer()
    sourceServer.set('/feed.csv', { body: [...writeCsv(MB, ',')].join('') })
    dataDir = await makeDataDir()
    seeded = await seedDataDir(dataDir, sourceServer.url('/feed.csv'))
    product = await startProduct(dataDir, {
      FETCH_ALLOW: sourceServer.host,
      LOG_LEVEL: 'warn',
      CALL_LIMITS: 'off',
      MAX_FILE_BYTES: `${2 * GB}`,
      // Of each large file, only the newest version, but a workbook and a Parquet file of it.
      MAX_STORAGE_PER_SUPPLIER: `${100 * MB}`,
    })
    supplier = await signIn(product, seeded.supplier.username)
    retailer = await signIn(product, seeded.retailer.username)
    await awaitFile(retailer, seeded)
  })
  afterAll(async () => {
    await product.stop()
    await sourceServer.close()
    await removeDataDir(dataDir)
  })

  const listFiles = async () =>
    (
      (await supplier.send('GET', `/api/connections/${seeded.connectionId}/files`))
        .body as FileListing
    ).files

  /** Memory of the product and its child processes that read files, one of which is always warm. */
  const readAllMemory = async () => readProportionalMemory(await listTree(product.pid))

  /** Makes the connection due now by pausing and resuming it. */
  async function syncOnce() {
    const path = `/api/connections/${seeded.connectionId}`
    await supplier.send('PATCH', path, { isActive: false })
    await supplier.send('PATCH', path, { isActive: true })
  }

  /** Waits until all versions are in the history of items. The reader that does this stays for a minute. */
  async function awaitQuiet(): Promise<void> {
    const db = openDatabase(`${dataDir}/app.db`)
    const find = () =>
      db
        .selectFrom('itemHistories')
        .select('waitingSince')
        .where('connectionId', '=', seeded.connectionId)
        .executeTakeFirst()
    await until(find, (history) => history?.waitingSince === null, 600_000)
    await db.destroy()
    await sleep(rounds(0, 60_000))
  }

  it.each([
    ['a canonical file', ','],
    ['a file that is rewritten', ';'],
    ['a file in which every key is new', ',', 'N-'],
  ])(
    'does not grow with the size of the file: %s',
    async (text, delimiter, prefix?: string) => {
      const sizeBytes = rounds(50 * MB, GB)
      sourceServer.set('/feed.csv', {
        handler: (_request, response: ServerResponse) =>
          void pipeline(Readable.from(writeCsv(sizeBytes, delimiter, prefix)), response),
      })
      const before = (await listFiles())[0]?.fileName
      await awaitQuiet()
      const baseline = await readAllMemory()
      let peak = baseline
      const listMeanwhile = async () => {
        peak = Math.max(peak, await readAllMemory())
        return listFiles()
      }
      const started = performance.now()
      await syncOnce()
      await until(listMeanwhile, ([newest]) => newest?.fileName !== before, 600_000)
      expect((await listFiles())[0]?.fileSize).toBeGreaterThan(sizeBytes * 0.9)
      const seconds = toSeconds(secondsSince(started))
      const measured = `${toMegabytes(peak - baseline)} more than ${toMegabytes(baseline)}, in ${seconds}`
      figure(
        'memory',
        `${toMegabytes(sizeBytes)}, ${text}: all processes`,
        measured,
        '≤ 64 MB more',
      )
      expect(peak - baseline).toBeLessThanOrEqual(64 * MB)
    },
    900_000,
  )

  it.each([
    ['in its cells', 'inline', MAX_XML_MEGABYTES],
    ['that cells share', 'shared', 64 + MAX_SHARED_MEGABYTES],
    ['in a table of HTML', 'html', MAX_XML_MEGABYTES],
    ['in the XML of Excel 2003', 'spreadsheetml', MAX_XML_MEGABYTES],
  ] as const)(
    'is bounded with a workbook of 50 MB with texts %s, in a preview and in a sync',
    async (text, kind, maxMegabytes) => {
      const book = books[kind]
      // A preview has 15 seconds, whatever else the product does.
      await awaitQuiet()
      sourceServer.set('/feed.csv', { body: book })
      const before = (await listFiles())[0]?.fileName
      const baseline = await readAllMemory()
      const measure = async (what: string, limit: number, work: Promise<unknown>) => {
        const peak = await findPeak(work)
        const measured = `${toMegabytes(peak - baseline)} more than ${toMegabytes(baseline)}`
        const name = `workbook of ${toMegabytes(book.length)} with texts ${text}, ${what}`
        figure('memory', name, measured, `≤ ${limit} MB more`)
        expect(peak - baseline).toBeLessThanOrEqual(limit * MB)
      }
      const preview = supplier.send('POST', '/api/connections/preview', {
        url: sourceServer.url('/feed.csv'),
      })
      await measure('preview', PREVIEW_MEGABYTES, preview)
      expect((await preview).body).toMatchObject({ columns: ['sku', 'name', 'quantity'] })
      await syncOnce()
      await measure(
        'sync',
        maxMegabytes,
        until(listFiles, ([newest]) => newest?.fileName !== before, 300_000),
      )
    },
    600_000,
  )

  it('is bounded while a workbook and a Parquet file of 1,100,000 rows are written for a retailer', async () => {
    const rowCount = 1_100_000
    const line = (row: number) =>
      `0${row},"Boot, brown; size 42",Shoes > Kind ${row % 500},${row % 97}\r\n`
    function* write() {
      yield 'sku,name,category,qty\r\n'
      for (let row = 0; row < rowCount; row += 1_000) {
        yield Array.from({ length: 1_000 }, (_, place) => line(row + place)).join('')
      }
    }
    sourceServer.set('/feed.csv', {
      handler: (_request, response: ServerResponse) =>
        void pipeline(Readable.from(write()), response),
    })
    const before = (await listFiles())[0]?.fileName
    await syncOnce()
    await until(listFiles, ([newest]) => newest?.fileName !== before, 300_000)
    // Otherwise it would go on reading the file before for a day.
    await supplier.send('PATCH', `/api/retailers/${seeded.retailer.id}`, { syncFrequency: 0 })
    const file = await awaitFile(retailer, seeded)
    for (const [form, what, leastMegabytes] of [
      ['xlsx', 'a workbook', 10],
      ['parquet', 'a Parquet file', 3],
    ] as const) {
      const path = `${file}?format=${form}`
      const head = () => retailer.send('HEAD', path)
      const baseline = await readAllMemory()
      const started = performance.now()
      const peak = await findPeak(until(head, ({ status }) => status === 200, 300_000))
      const seconds = toSeconds(secondsSince(started))
      const measured = `${toMegabytes(peak - baseline)} more than ${toMegabytes(baseline)}, in ${seconds}`
      figure('memory', `${what} of 1,100,000 rows is written`, measured, '≤ 64 MB more')
      expect((await retailer.send('GET', path)).text.length).toBeGreaterThan(leastMegabytes * MB)
      expect(peak - baseline).toBeLessThanOrEqual(64 * MB)
    }
  }, 900_000)

  /** The most memory while something is done. */
  async function findPeak(work: Promise<unknown>): Promise<number> {
    let peak = 0
    await timeResponses(async () => {
      peak = Math.max(peak, await readAllMemory())
    }, work)
    return peak
  }

  /** Uses the product in several ways at once. `stop` ends that and returns the round count. */
  function startLoad() {
    const stopping = new AbortController()
    let count = 0
    async function read() {
      while (!stopping.signal.aborted) {
        await retailer.send('GET', await awaitFile(retailer, seeded))
        await supplier.send('GET', '/api/retailers')
        const body = { storeName: `Name ${(count += 1)}` }
        await retailer.send('PATCH', `/api/retailers/${seeded.retailer.id}/store-info`, body)
        await sleep(50)
      }
    }
    async function sync() {
      while (!stopping.signal.aborted) {
        const body = `sku,category\r\n${`${count},Shoes\r\n`.repeat(9_999)}`
        sourceServer.set('/feed.csv', { body })
        await syncOnce()
        await sleep(1_000)
      }
    }
    const working = Promise.all([read(), read(), sync()])
    return async function stop(): Promise<number> {
      stopping.abort()
      await working
      return count
    }
  }

  it(
    'stays constant under sustained load, as do open descriptors and the database log',
    async () => {
      const samples: { minutes: number; memory: number }[] = []
      let largestLog = 0
      const descriptors = await countDescriptors(product.pid)
      const stopLoad = startLoad()
      const started = performance.now()
      const minutes = () => secondsSince(started) / 60
      while (minutes() < SOAK_MINUTES) {
        await sleep(rounds(1_000, 5_000))
        samples.push({ minutes: minutes(), memory: await readAllMemory() })
        largestLog = Math.max(largestLog, (await stat(join(dataDir, 'app.db-wal'))).size)
      }
      const count = await stopLoad()
      await until(
        () => countDescriptors(product.pid),
        (open) => open <= descriptors + 2,
      )
      // The heap grows to its working size first, which takes all of a short run.
      const slope = slopeOf(samples.filter((sample) => sample.minutes > SOAK_MINUTES / 3))
      const what = `${SOAK_MINUTES} minutes under load, ${count} rounds`
      const grown = `memory ${(slope / MB).toFixed(2)} MB a minute, log ${toMegabytes(largestLog)}`
      figure('memory', what, grown, '< 1 MB a minute over 30, log < 64 MB')
      expect(largestLog).toBeLessThan(64 * MB)
      expect(slope).toBeLessThan(rounds(Infinity, MB))
    },
    (SOAK_MINUTES + 3) * 60_000,
  )
})

/** Slope of the least squares line in bytes per minute. */
function slopeOf(samples: { minutes: number; memory: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [
    mean(samples.map(({ minutes }) => minutes)),
    mean(samples.map(({ memory }) => memory)),
  ]
  const rise = samples.map(({ minutes, memory }) => (minutes - x) * (memory - y))
  const run = samples.map(({ minutes }) => (minutes - x) ** 2)
  return mean(rise) / mean(run)
}
