import { createHash, randomUUID } from 'node:crypto'
import { cp } from 'node:fs/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { openDeps } from '../../server/deps'
import { LEASE_MS } from '../../server/domain/lease'
import { checkDestinations } from '../../server/features/distribution/destinations/check-destinations'
import { sendFiles } from '../../server/features/distribution/destinations/send-files'
import { createLogger } from '../../server/observability/logger'
import { putDestination } from '../../server/testing/fixtures/destinations'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../server/testing/fixtures/factories'
import { figure, rounds } from '../../server/testing/fixtures/figures'
import { startSourceServer } from '../../server/testing/servers/source-server'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import { HOUR_MS, MINUTE_MS } from '../../shared/durations'
import { type FileReceiver, startFileReceiver } from '../support/file-receiver'
import { makeDataDir, removeDataDir } from '../support/product'
import { killBeforeEachStep, killBeforeStep } from './killed-programs'

const CSV = `sku,qty\r\n${Array.from({ length: 50_000 }, (_, row) => `${row},5\r\n`).join('')}`
const HASH = createHash('sha256').update(CSV).digest('hex')
const { signal } = new AbortController()

describe('a file of which the process that sends it is killed before any step', () => {
  let template: string
  let server: FileReceiver

  const openData = (dataDir: string) => {
    const config = readConfig({
      DATA_DIR: dataDir,
      MIN_FREE_BYTES: '0',
      LOG_LEVEL: 'warn',
      FETCH_ALLOW: server.host,
    })
    return openDeps(config, createLogger(config))
  }

  beforeAll(async () => {
    server = await startFileReceiver()
    template = await makeDataDir()
    const source = await startSourceServer()
    source.set('/stock.csv', { body: CSV })
    const deps = await openTestDeps(readConfig({ DATA_DIR: template, FETCH_ALLOW: source.host }))
    const supplier = await createSupplierUser(deps)
    await createSupplierConnection(deps, supplier, source.url('/stock.csv'))
    await deps.work()
    await source.close()
    const { id } = await createLinkedRetailer(deps, supplier)
    await putDestination(deps, id, { fileName: '{time}_{version}.csv', checkAt: 0 })
    await deps.close()
  })
  afterAll(async () => {
    await server.close()
    await removeDataDir(template)
  })

  /** Sends it to a place of its own, until a step. */
  async function sendUntil(last?: string) {
    const dataDir = await makeDataDir()
    await cp(template, dataDir, { recursive: true })
    const place = `/in/${randomUUID()}/`
    const { deps, close } = await openData(dataDir)
    const config = { url: `http://${server.host}${place}` }
    await deps.db.updateTable('destinations').set({ config }).execute()
    await close()
    const program = { name: 'failing-sending', args: [server.host] }
    return { ...(await killBeforeStep(program, dataDir, last)), dataDir, place }
  }

  /** Goes on in another process, once the lease of the killed one has run out. */
  async function recover({ dataDir, place }: { dataDir: string; place: string }, step: string) {
    const { deps: opened, close } = await openData(dataDir)
    const deps = { ...opened, clock: { now: () => Date.now() + LEASE_MS + 1_000 } }
    await checkDestinations(deps, signal)
    await sendFiles(deps, 'quick', signal)
    const ledger = await deps.db.selectFrom('dispatches').selectAll().execute()
    await close()
    await removeDataDir(dataDir)
    const arrived = server.received.filter(({ path }) => path.startsWith(place))
    expect(ledger, step).toMatchObject([
      { status: 'sent', sha256: HASH, ...(arrived.length > 1 && { isRepeat: true }) },
    ])
    const [{ fileName, idempotencyKey }] = ledger as [(typeof ledger)[0]]
    const expected = { path: `${place}${fileName}`, sizeBytes: CSV.length, sha256: HASH }
    expect(arrived, step).toMatchObject(arrived.map(() => expected))
    const keys = arrived.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys), step).toEqual(new Set([idempotencyKey]))
    const marks = arrived.map(({ headers }) => headers['stockbridge-repeat'])
    // The first may be marked too: whoever claimed it before may have sent it.
    expect(marks.slice(1), step).toEqual(arrived.slice(1).map(() => 'true'))
    return arrived.length
  }

  it(
    'arrives at least once, and when twice with the same name, bytes and key, and marked',
    async () => {
      const whole = await sendUntil()
      expect(await recover(whole, 'the end')).toBe(1)
      const counts: number[] = []
      const killAt = async (last: string) => {
        counts.push(await recover(await sendUntil(last), last))
      }
      // Few steps come after it has arrived.
      const kills = await killBeforeEachStep(whole.steps, killAt, true)
      expect(new Set(counts)).toEqual(new Set([1, 2]))
      const twice = counts.filter((count) => count === 2).length
      const measured = `0 of ${kills} lost or half, ${twice} arrived twice, marked`
      figure('crashes', 'a file that is sent, killed before a step', measured, '0')
    },
    rounds(10 * MINUTE_MS, HOUR_MS),
  )
})
