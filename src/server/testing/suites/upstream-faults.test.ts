import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { DAY_MS, MINUTE_MS } from '../../../shared/durations'
import type { Connection } from '../../../shared/schemas/connection'
import { engineOf } from '../../db/engine'
import { listConnections } from '../../features/catalogue/connections/connections'
import { listFiles } from '../../features/catalogue/versions/connection-files'
import {
  getLatestFile,
  openRetailerFile,
} from '../../features/distribution/downloads/retailer-files'
import type { UserRecord } from '../../features/people/accounts/users.queries'
import { createFileFetcher, type FileFetcher } from '../../files/fetch/fetch'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  removeGuards,
} from '../fixtures/factories'
import { figure, rounds } from '../fixtures/figures'
import { startFaultServer, type FaultServer } from '../servers/fault-server'
import { openTestDeps, type TestDeps } from '../stages/test-deps'
import {
  GOOD_FILE,
  ODD_BUT_RIGHT,
  UPSTREAM_FAULTS,
  type Fault,
  type UpstreamFault,
} from './upstream-faults'

const CUT = 'The connection was cut before the file was complete.'
const BROKEN_OFF =
  'The file breaks off in its last line, which has fewer cells than the header and no line end.'
/** Up to Node 22, a reset that arrives together with data looks like a normal end. */
const RESET =
  Number.parseInt(process.versions.node) < 24
    ? [`truncated: ${CUT}`, `truncated: ${BROKEN_OFF}`]
    : [`truncated: ${CUT}`]
const NO_ACCESS = 'The address requires credentials: enter them under Access.'
const ITS_FAULT = 'The error is on the server side.'
const TOO_LARGE = 'The file is larger than 4 MB, the maximum size.'

/** The same text for a private host, so that names of the internal network cannot be probed. */
const NO_SUCH_NAME =
  'The name shop.example could not be found, or cannot be reached from here. Check how it is spelled.'

/** The error's code, and the message for the supplier, by fault. */
const ERRORS: Record<UpstreamFault, string> = {
  'connection refused':
    'connect-failed: The server refused the connection. Check the address and its port.',
  'unknown host': `name-not-found: ${NO_SUCH_NAME}`,
  'host inside': `name-not-found: ${NO_SUCH_NAME}`,
  'TLS never begun':
    'connect-timeout: The server did not accept a connection in time. A firewall may be blocking it.',
  'no TLS': 'tls: No secure connection could be made to the server. Check whether it offers https.',
  'certificate self-signed':
    "certificate-untrusted: The server's certificate is not trusted: a public certificate authority must have issued it.",
  'certificate expired':
    "certificate-expired: The server's certificate has expired and must be renewed on the server.",
  'certificate of another host':
    "certificate-wrong-name: The server's certificate does not match the name in the address.",
  'no answer': 'answer-timeout: The server did not answer in time.',
  'headers byte by byte': 'answer-timeout: The server did not answer in time.',
  'closed without an answer':
    'connection-lost: The server closed the connection without responding.',
  'reset without an answer':
    'connection-lost: The server closed the connection without responding.',
  'not HTTP': 'bad-answer: The server did not respond with HTTP. Check the port of the address.',
  'headers without end': 'bad-answer: The server sent too many response headers.',
  'redirect loop': 'too-many-redirects: The address redirects more than 5 times.',
  'redirect inside':
    'address-refused: The server redirects to a private address or an unusual port. These are not contacted from here.',
  'redirect to a file':
    'bad-redirect: The server redirects to an address that is not a web address.',
  'redirect from https to http':
    'bad-redirect: The server redirects from a secure address to an insecure one.',
  'redirect without a target': 'bad-redirect: The server redirects to an invalid address.',
  '204': 'http-status: The server answered 204 No Content. That response contains no file.',
  '206':
    'http-status: The server answered 206 Partial Content. That response contains only a part of the file.',
  '304 unasked':
    'http-status: The server answered 304 Not Modified. That response contains no file.',
  '401': `http-status: The server answered 401 Unauthorized. ${NO_ACCESS}`,
  '403': `http-status: The server answered 403 Forbidden. ${NO_ACCESS}`,
  '404': 'http-status: The server answered 404 Not Found. There is no file at this address.',
  '410':
    'http-status: The server answered 410 Gone. The file has been removed from this address permanently.',
  '429':
    'http-status: The server answered 429 Too Many Requests. It has received too many requests.',
  '500': `http-status: The server answered 500 Internal Server Error. ${ITS_FAULT}`,
  '503': `http-status: The server answered 503 Service Unavailable. ${ITS_FAULT}`,
  'reset in the middle': `truncated: ${CUT}`,
  'length too long': `truncated: ${CUT}`,
  'length in characters':
    'wrong-length: The server sent more than the length that it announced, so the end of the file is missing.',
  'chunks cut': `truncated: ${CUT}`,
  'chunk that is none': `truncated: ${CUT}`,
  'cut without a length': `truncated: ${BROKEN_OFF}`,
  'reset without a length': expect.toBeOneOf(RESET) as string,
  'silence in the middle': 'stalled: The server stopped sending in the middle of the file.',
  'one byte at a time': 'too-slow: The server sent the file too slowly: less than 1 KB a second.',
  'never done': 'took-too-long: The file did not arrive within a minute.',
  '10 GB announced': `too-large: ${TOO_LARGE}`,
  'endless stream': `too-large: ${TOO_LARGE}`,
  'gzip bomb':
    'compression-bomb: The compressed file expands to more than 200 times its size, which is not plausible for an inventory.',
  'gzip cut': 'truncated: The compressed file ends too early.',
  'gzip damaged': 'gzip-damaged: The compressed file is damaged.',
  'gzip in name only':
    'gzip-damaged: The server says that the file is compressed with gzip, but it is not.',
  'gzip twice': 'unknown-compression: The file is compressed twice.',
  brotli:
    'unknown-compression: The server sent the file compressed as "br"; only gzip can be read.',
  'web page': 'not-csv-html: The file is a web page (HTML) instead of a CSV file or a workbook.',
  'login page in plain text':
    'not-csv-text: The file is a text instead of a table: its only column is “Please log in”.',
  JSON: 'not-csv-json: The JSON file has no list of objects, with two fields or more, of which each could be a row. It has “error”.',
  XML: 'not-csv-xml: The XML file has no element that repeats, with two fields or more, of which each could be a row. It has “products”.',
  PDF: 'not-csv-pdf: The file is a PDF document instead of a CSV file or a workbook.',
  'workbook cut':
    'archive-damaged: The file is damaged or cut off. Save or pack it again, and see that it is sent as a whole.',
  'old workbook':
    'not-csv-spreadsheet: The file is an Excel workbook of an old form (.xls). Save it as an Excel workbook (.xlsx), or as CSV UTF-8.',
  'ZIP without a table':
    'archive-without-table: The archive has no file that may be a table. It has “readme.txt”.',
  image: 'not-csv-image: The file is an image (PNG) instead of a CSV file or a workbook.',
  'empty file': 'empty: CSV file is empty',
  'byte order mark only': 'empty: CSV file is empty',
  'header only': 'no-rows: The file has a header but no rows.',
  'row too wide': 'ragged-row: Line 2 has 5 cells, but the header has 4: “A-1,Boot,Boots,1,2”.',
  'quote never closed':
    'unclosed-quote: The quotation mark that opens on line 2 is never closed: “A-1,"Boot,x,x,x,x,x,x,x,x,x”.',
}

/** The wait that the source requested, in milliseconds. */
const RETRY_AFTER: Partial<Record<UpstreamFault, number>> = {
  '429': 30 * MINUTE_MS,
  '503': 60 * MINUTE_MS,
}

const ROUNDS = rounds(1, 3)
const PATIENCE = 30_000

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** As many as a sync has at most at a time, which PostgreSQL's pool opens when they are needed. */
async function openDatabaseConnections({ db }: TestDeps): Promise<void> {
  if (engineOf(db).name !== 'PostgreSQL') return
  const wait = () => sql`select pg_sleep(0.05)`.execute(db)
  await Promise.all(Array.from({ length: 10 }, wait))
}

/**
 * Counts the process's active resources, such as sockets and timers, by kind, and its open files.
 */
function countResources(): Record<string, number> {
  const held: Record<string, number> = { files: readdirSync('/proc/self/fd').length }
  for (const kind of process.getActiveResourcesInfo()) held[kind] = (held[kind] ?? 0) + 1
  return held
}

describe('a source that', () => {
  let source: FaultServer
  let deps: TestDeps
  let supplier: UserRecord
  let retailer: { id: number; user: UserRecord }
  let fetcher: FileFetcher
  let attempts = 0

  beforeEach(async () => {
    source = await startFaultServer()
  })
  afterEach(async () => {
    await deps.close()
    await source.close()
  })
  afterAll(() => {
    const faults = Object.keys(ERRORS).length
    const named = new Set(Object.values(ERRORS).map(String)).size
    const what = `${faults} faults, ${named} errors: failed syncs that left the last good file as it was`
    figure(
      'faulty sources',
      what,
      `${attempts}`,
      `${faults * ROUNDS}, no socket, timer or file left`,
    )
  })

  const createFetcher = (timeouts: Fault['timeouts'] = {}) =>
    createFileFetcher({ ...source.fetching, maxBytes: 4 * 1024 * 1024, now: Date.now, timeouts })

  async function become({ timeouts, ...state }: Fault): Promise<void> {
    source.become(state)
    await fetcher.close()
    fetcher = createFetcher(timeouts)
  }

  async function open({ isSecure = false }: Fault = {}): Promise<void> {
    fetcher = createFetcher()
    deps = await openTestDeps(
      { publicUrl: 'https://stock.example' },
      {
        fetcher: { fetch: (request) => fetcher.fetch(request), close: () => fetcher.close() },
      },
    )
    supplier = await createSupplierUser(deps)
    retailer = await createLinkedRetailer(deps, supplier)
    await createSupplierConnection(deps, supplier, isSecure ? source.secureUrl : source.url)
    source.become({ route: { body: GOOD_FILE } })
    await deps.work()
  }

  async function current(): Promise<Connection> {
    const [connection] = await listConnections(deps, supplier)
    if (!connection) throw new Error('There is no connection')
    return connection
  }

  async function waitForNextSync(): Promise<void> {
    const { nextSyncAt } = await current()
    deps.clock.advance(Date.parse(nextSyncAt ?? '') - deps.clock.now())
    await deps.work()
  }

  /** Reads the file that a retailer gets now. */
  async function readServedFile(): Promise<Buffer> {
    const latest = await getLatestFile(deps, retailer.user, retailer.id)
    if ('message' in latest) throw new Error(latest.message)
    const { id } = retailer
    const file = await openRetailerFile(deps, retailer.user, { id, fileName: latest.fileName })
    return buffer(await deps.files.read(file.sha256))
  }

  async function lastErrorCode() {
    const runs = deps.db.selectFrom('syncRuns').select('errorCode').orderBy('id', 'desc')
    return (await runs.executeTakeFirstOrThrow()).errorCode
  }

  async function expectFailure(name: UpstreamFault, round: number): Promise<void> {
    const { lastAttemptAt, nextSyncAt, ...connection } = await current()
    expect(connection).toMatchObject({ status: 'failed', consecutiveFailures: round })
    expect(`${await lastErrorCode()}: ${connection.lastError}`).toEqual(ERRORS[name])
    expect(lastAttemptAt).toBe(new Date(deps.clock.now()).toISOString())
    const pause = Date.parse(nextSyncAt ?? '') - deps.clock.now()
    const doubled = 2 ** (round - 1) * MINUTE_MS
    expect(pause).toBeGreaterThanOrEqual(Math.max(doubled * 0.9, RETRY_AFTER[name] ?? MINUTE_MS))
    expect(pause).toBeLessThanOrEqual(Math.max(doubled * 1.1, RETRY_AFTER[name] ?? MINUTE_MS) + 1)
    expect(sha256(await readServedFile())).toBe(sha256(GOOD_FILE))
    expect((await listFiles(deps, supplier, connection.id)).files).toHaveLength(1)
  }

  async function expectNothingLeft(before: Record<string, number>): Promise<void> {
    const deadline = performance.now() + 5_000
    const findMore = () =>
      Object.entries(countResources()).filter(([kind, count]) => count > (before[kind] ?? 0))
    while (findMore().length > 0 && performance.now() < deadline) await nextTurn()
    expect(findMore()).toEqual([])
    expect(source.openSockets()).toBe(0)
    expect(readdirSync(join(deps.config.filesDir, 'drafts'))).toEqual([])
  }

  it.each(Object.keys(ERRORS) as UpstreamFault[])(
    'fails with “%s” keeps its last good file in every round, and recovers',
    async (name) => {
      const fault: Fault = UPSTREAM_FAULTS[name]
      await open(fault)
      const { lastSync } = await current()
      expect(await current()).toMatchObject({ status: 'synced', lastError: null })
      await vi.waitFor(() => expect(source.openSockets()).toBe(0))
      await openDatabaseConnections(deps)
      const before = countResources()
      await become(fault)
      for (let round = 1; round <= ROUNDS; round++) {
        await waitForNextSync()
        await expectFailure(name, round)
        await expectNothingLeft(before)
        attempts += 1
      }
      expect((await current()).lastSync).toBe(lastSync)
      await become({ route: { body: `${GOOD_FILE.toString()}A-200,Boot,Boots,1\r\n` } })
      await waitForNextSync()
      expect(await current()).toMatchObject({ status: 'synced', consecutiveFailures: 0 })
      expect((await current()).lastError).toBeNull()
    },
    PATIENCE,
  )

  it.each(Object.entries(ODD_BUT_RIGHT))(
    'is odd but valid, “%s”, is published',
    async (_name, { route, published }) => {
      await open()
      await removeGuards(deps)
      source.become({ route })
      await waitForNextSync()
      expect(await current()).toMatchObject({ status: 'synced', lastError: null })
      // The retailer's daily frequency moves it to the new version a day later.
      deps.clock.advance(DAY_MS)
      expect((await readServedFile()).toString()).toBe(published)
    },
  )
})
