import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Connection } from '../../../shared/schemas/connection'
import type { FeedErrorCode } from '../../feed/feed-error'
import { createFeedFetcher } from '../../feed/fetch/fetch'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../testing/factories'
import { startFaultServer, type FaultServer } from '../../testing/fault-server'
import { figure } from '../../testing/figures'
import { openTestDeps, type TestDeps } from '../../testing/test-deps'
import {
  GOOD_FILE,
  ODD_BUT_RIGHT,
  UPSTREAM_FAULTS,
  type Fault,
  type UpstreamFault,
} from '../../testing/upstream-faults'
import type { UserRecord } from '../accounts/users.queries'
import { listConnections } from '../connections/connections'
import { getLatestFile, openRetailerFile } from '../downloads/retailer-files'
import { listFiles } from '../versions/connection-files'

const ROUNDS = 3
const PATIENCE = 30_000
const MINUTE = 60_000
/** Where nothing comes, a suite need not wait as long as the product does. */
const SHORT = { connectMs: 400, headersMs: 700, idleMs: 500, slowWindowMs: 400, totalMs: 1_500 }

const CUT = 'The connection was cut before the file was complete.'
const BROKEN_OFF =
  'The file breaks off in its last line, which has fewer cells than the header and no line end.'
/** Up to Node 22, a reset that comes along with data is an end: the last line then tells. */
const RESET = Number.parseInt(process.versions.node) < 24 ? [CUT, BROKEN_OFF] : [CUT]
const NO_ACCESS = 'The address needs a permission that we do not have: enter it under Access.'
const ITS_FAULT = 'The fault is on its side.'
const TOO_LARGE = 'The file is larger than 4 MB, the most that is taken.'

/** The same for a private host: nobody is to find out which names our own network has. */
const NO_SUCH_NAME =
  'The name shop.example could not be found, or cannot be reached from here. Check how it is spelled.'

/** What the supplier is told of each fault. */
const ERRORS: Record<UpstreamFault, [code: FeedErrorCode, text: string]> = {
  'connection refused': [
    'connect-failed',
    'The server refused the connection. Check the address and its port.',
  ],
  'unknown host': ['name-not-found', NO_SUCH_NAME],
  'host inside': ['name-not-found', NO_SUCH_NAME],
  'TLS never begun': [
    'connect-timeout',
    'The server did not accept a connection in time. A firewall may keep us out.',
  ],
  'no TLS': [
    'tls',
    'No secure connection could be made to the server. Check whether it offers https.',
  ],
  'certificate self-signed': [
    'certificate-untrusted',
    "The server's certificate is not trusted: a public authority must vouch for it.",
  ],
  'certificate expired': [
    'certificate-expired',
    "The server's certificate has expired and must be renewed there.",
  ],
  'certificate of another host': [
    'certificate-wrong-name',
    "The server's certificate is for another name than the one in the address.",
  ],
  'no answer': ['answer-timeout', 'The server did not answer in time.'],
  'headers byte by byte': ['answer-timeout', 'The server did not answer in time.'],
  'closed without an answer': [
    'connection-lost',
    'The server closed the connection without an answer.',
  ],
  'reset without an answer': [
    'connection-lost',
    'The server closed the connection without an answer.',
  ],
  'not HTTP': ['bad-answer', 'The server did not answer in HTTP. Check the port of the address.'],
  'headers without end': ['bad-answer', 'The server sent more headers than are taken.'],
  'redirect loop': [
    'too-many-redirects',
    'The address leads on to other addresses more than 5 times.',
  ],
  'redirect inside': ['address-refused', 'This address cannot be reached from here.'],
  'redirect to a file': [
    'bad-redirect',
    'The server leads on to an address that is not a web address.',
  ],
  'redirect from https to http': [
    'bad-redirect',
    'The server leads from a secure address to an insecure one.',
  ],
  'redirect without a target': [
    'bad-redirect',
    'The server leads on to an address that cannot be read.',
  ],
  '204': ['http-status', 'The server answered 204 No Content. That is an answer without a file.'],
  '206': [
    'http-status',
    'The server answered 206 Partial Content. That is only a part of the file.',
  ],
  '304 unasked': [
    'http-status',
    'The server answered 304 Not Modified. That is an answer without a file.',
  ],
  '401': ['http-status', `The server answered 401 Unauthorized. ${NO_ACCESS}`],
  '403': ['http-status', `The server answered 403 Forbidden. ${NO_ACCESS}`],
  '404': ['http-status', 'The server answered 404 Not Found. There is no file at this address.'],
  '410': [
    'http-status',
    'The server answered 410 Gone. The file was taken away from this address for good.',
  ],
  '429': ['http-status', 'The server answered 429 Too Many Requests. It has been asked too often.'],
  '500': ['http-status', `The server answered 500 Internal Server Error. ${ITS_FAULT}`],
  '503': ['http-status', `The server answered 503 Service Unavailable. ${ITS_FAULT}`],
  'reset in the middle': ['truncated', CUT],
  'length too long': ['truncated', CUT],
  'length in characters': [
    'wrong-length',
    'The server sent more than the length that it announced, so the end of the file is missing.',
  ],
  'chunks cut': ['truncated', CUT],
  'chunk that is none': ['truncated', CUT],
  'cut without a length': ['truncated', BROKEN_OFF],
  'reset without a length': ['truncated', expect.toBeOneOf(RESET) as string],
  'silence in the middle': ['stalled', 'The server stopped sending in the middle of the file.'],
  'one byte at a time': [
    'too-slow',
    'The server sent the file too slowly: less than 1 KB a second.',
  ],
  'never done': ['took-too-long', 'The file did not arrive within a minute.'],
  '10 GB announced': ['too-large', TOO_LARGE],
  'endless stream': ['too-large', TOO_LARGE],
  'gzip bomb': [
    'compression-bomb',
    'The compressed file grows to more than 200 times its size, which no inventory does.',
  ],
  'gzip cut': ['truncated', 'The compressed file ends too early.'],
  'gzip damaged': ['gzip-damaged', 'The compressed file is damaged.'],
  'gzip in name only': [
    'gzip-damaged',
    'The server says that the file is compressed with gzip, but it is not.',
  ],
  'gzip twice': ['unknown-compression', 'The file is compressed twice.'],
  brotli: [
    'unknown-compression',
    'The server sent the file compressed as "br"; only gzip can be read.',
  ],
  'web page': ['not-csv-html', 'The address gave a web page (HTML) instead of a CSV file.'],
  'login page in plain text': [
    'not-csv-text',
    'The address gave a text instead of a table: its only column is “Please log in”.',
  ],
  JSON: ['not-csv-json', 'The address gave JSON data instead of a CSV file.'],
  XML: ['not-csv-xml', 'The address gave an XML document instead of a CSV file.'],
  PDF: ['not-csv-pdf', 'The address gave a PDF document instead of a CSV file.'],
  XLSX: [
    'not-csv-spreadsheet',
    'The address gave a spreadsheet (.xlsx or .ods) instead of a CSV file.',
  ],
  ZIP: ['not-csv-archive', 'The address gave an archive (zip) instead of a CSV file.'],
  image: ['not-csv-image', 'The address gave an image (PNG) instead of a CSV file.'],
  'empty file': ['empty', 'CSV file is empty'],
  'byte order mark only': ['empty', 'CSV file is empty'],
  'header only': ['no-rows', 'The file has a header but no rows.'],
  'row too wide': ['ragged-row', 'Line 2 has 5 cells, but the header has 4.'],
  'quote never closed': [
    'unclosed-quote',
    'The quotation mark that opens on line 2 is never closed.',
  ],
}

/** How long the source asked us to wait. */
const RETRY_AFTER: Partial<Record<UpstreamFault, number>> = {
  '429': 30 * MINUTE,
  '503': 60 * MINUTE,
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** What a process holds: sockets, timers and the like by kind, and its open files. */
function countHeld(): Record<string, number> {
  const held: Record<string, number> = { files: readdirSync('/proc/self/fd').length }
  for (const kind of process.getActiveResourcesInfo()) held[kind] = (held[kind] ?? 0) + 1
  return held
}

describe('a source that', () => {
  let source: FaultServer
  let deps: TestDeps
  let supplier: UserRecord
  let retailer: { id: number; user: UserRecord }
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

  async function open(isSecure: boolean, timeouts: Partial<typeof SHORT>): Promise<void> {
    const fetcher = createFeedFetcher({
      ...source.fetching,
      maxBytes: 4 * 1024 * 1024,
      now: Date.now,

      timeouts,
    })
    deps = await openTestDeps({}, { fetcher })
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

  /** What a retailer that asks now is given. */
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
    const [code, lastError] = ERRORS[name]
    const { lastAttemptAt, nextSyncAt, ...connection } = await current()
    const outcome = { status: 'failed', lastError, consecutiveFailures: round }
    expect(connection).toMatchObject(outcome)
    expect(await lastErrorCode()).toBe(code)
    expect(lastAttemptAt).toBe(new Date(deps.clock.now()).toISOString())
    const pause = Date.parse(nextSyncAt ?? '') - deps.clock.now()
    const doubled = 2 ** (round - 1) * MINUTE
    expect(pause).toBeGreaterThanOrEqual(Math.max(doubled * 0.9, RETRY_AFTER[name] ?? MINUTE))
    expect(pause).toBeLessThanOrEqual(Math.max(doubled * 1.1, RETRY_AFTER[name] ?? MINUTE) + 1)
    expect(sha256(await readServedFile())).toBe(sha256(GOOD_FILE))
    expect((await listFiles(deps, supplier, connection.id)).files).toHaveLength(1)
  }

  async function expectNothingLeft(before: Record<string, number>): Promise<void> {
    const giveUpAt = performance.now() + 5_000
    const findMore = () =>
      Object.entries(countHeld()).filter(([kind, count]) => count > (before[kind] ?? 0))
    while (findMore().length > 0 && performance.now() < giveUpAt) await nextTurn()
    expect(findMore()).toEqual([])
    expect(source.openSockets()).toBe(0)
    expect(readdirSync(join(deps.config.filesDir, 'drafts'))).toEqual([])
  }

  it.each(Object.keys(ERRORS) as UpstreamFault[])(
    'fails with “%s” keeps its last good file, round after round, and recovers',
    async (name) => {
      const { isSecure = false, isSlow = false, ...fault }: Fault = UPSTREAM_FAULTS[name]
      await open(isSecure, isSlow ? SHORT : {})
      const { lastSync } = await current()
      expect(await current()).toMatchObject({ status: 'synced', lastError: null })
      await vi.waitFor(() => expect(source.openSockets()).toBe(0))
      const before = countHeld()
      source.become(fault)
      for (let round = 1; round <= ROUNDS; round++) {
        await waitForNextSync()
        await expectFailure(name, round)
        await expectNothingLeft(before)
        attempts += 1
      }
      expect((await current()).lastSync).toBe(lastSync)
      source.become({ route: { body: `${GOOD_FILE.toString()}A-200,Boot,Boots,1\r\n` } })
      await waitForNextSync()
      expect(await current()).toMatchObject({ status: 'synced', consecutiveFailures: 0 })
      expect((await current()).lastError).toBeNull()
    },
    PATIENCE,
  )

  it.each(Object.entries(ODD_BUT_RIGHT))(
    'is odd but right, “%s”, is published',
    async (_name, { route, published }) => {
      await open(false, {})
      source.become({ route })
      await waitForNextSync()
      expect(await current()).toMatchObject({ status: 'synced', lastError: null })
      // Its own pace moves the retailer to the new version a day later.
      deps.clock.advance(24 * 60 * MINUTE)
      expect((await readServedFile()).toString()).toBe(published)
    },
  )
})
