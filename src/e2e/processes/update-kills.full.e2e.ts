import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { allJobs } from '../../server/all-jobs'
import { readConfig } from '../../server/config'
import { openDeps } from '../../server/deps'
import type { Deps } from '../../server/domain/deps'
import { LEASE_MS } from '../../server/domain/lease'
import { createConnection } from '../../server/features/catalogue/connections/connections'
import {
  listFiles,
  openConnectionFile,
} from '../../server/features/catalogue/versions/connection-files'
import { cleanStorage } from '../../server/features/distribution/stored-files/storage-cleaning'
import { claimDueWork } from '../../server/features/operations/scheduling/claim-due-work'
import type { UserRecord } from '../../server/features/people/accounts/users.queries'
import { receiveFromUser } from '../../server/features/publication/received-files/receive-file'
import { listReceivedFiles } from '../../server/features/publication/received-files/received-files'
import { createLogger } from '../../server/observability/logger'
import { createSupplierUser } from '../../server/testing/fixtures/factories'
import { figure, rounds } from '../../server/testing/fixtures/figures'
import { findBrokenFiles } from '../../server/testing/fixtures/stored-files'
import { openInlineReader } from '../../server/testing/stages/reader-inline'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import { HOUR_MS, MINUTE_MS } from '../../shared/durations'
import { makeDataDir, removeDataDir } from '../support/product'
import { killBeforeStep } from './killed-programs'

const rowsOf = (quantities: (number | null)[]) =>
  quantities.flatMap((quantity, item) => (quantity === null ? [] : [`S${item},${quantity}\r\n`]))
const fileOf = (...quantities: (number | null)[]) => `sku,qty\r\n${rowsOf(quantities).join('')}`

/** Updates that depend on their order, with what is to be published after each of them. */
const FULL = fileOf(1, 1, 1, 1)
const UPDATES = [
  ['sku,qty,action\nS0,2,\nS4,2,\n', fileOf(2, 1, 1, 1, 2)],
  ['sku;qty;action\nS0;3;\nS1;;delete\n', fileOf(3, null, 1, 1, 2)],
  ['sku,qty,action\nS0,,delete\nS1,4,\n', `${fileOf(null, null, 1, 1, 2)}S1,4\r\n`],
] as const
const STATES: readonly string[] = [FULL, ...UPDATES.map(([, published]) => published)]

describe('updates that wait, of which the process is killed before any step', () => {
  let template: string
  let supplier: UserRecord
  let connectionId: number

  beforeAll(async () => {
    template = await makeDataDir()
    const deps = await openTestDeps(configOf(template))
    supplier = await createSupplierUser(deps)
    const { id } = await createConnection(deps, supplier, {
      name: 'Stock',
      type: 'URL',
      fileFormat: 'CSV',
      syncFrequency: 60,
      config: {},
      isActive: true,
      updates: { removal: { column: 'action', value: 'delete' }, fullName: null, nextIsFull: true },
    })
    connectionId = id
    const send = (fileName: string, content: string) =>
      receiveFromUser(deps, supplier, id, () => ({
        file: { fileName, sha256: null, body: Readable.from([Buffer.from(content)]) },
        signal: new AbortController().signal,
      }))
    await send('full.csv', FULL)
    await deps.work()
    const quiet = { ...deps, queue: { ...deps.queue, add: async () => undefined } }
    for (const [index, [content]] of UPDATES.entries()) {
      await receiveFromUser(quiet, supplier, id, () => ({
        file: {
          fileName: `u${index}.csv`,
          sha256: null,
          body: Readable.from([Buffer.from(content)]),
        },
        signal: new AbortController().signal,
      }))
    }
    await deps.close()
  })
  afterAll(() => removeDataDir(template))

  const configOf = (dataDir: string) =>
    readConfig({ DATA_DIR: dataDir, MIN_FREE_BYTES: '0', LOG_LEVEL: 'warn' })

  async function syncUntil(last?: string) {
    const dataDir = await makeDataDir()
    await cp(template, dataDir, { recursive: true })
    const run = await killBeforeStep({ name: 'failing-sync', args: ['127.0.0.1:1'] }, dataDir, last)
    return { ...run, dataDir }
  }

  async function readPublished(deps: Deps): Promise<string> {
    const { files } = await listFiles(deps, supplier, connectionId)
    const { fileName } = files[0]!
    const file = await openConnectionFile(deps, supplier, { id: connectionId, fileName })
    return text(await deps.files.read(file.sha256))
  }

  /** Goes on as the next process, at a time when the killed one's leases have expired. */
  async function recover(dataDir: string, step: string) {
    const config = configOf(dataDir)
    const { deps: opened, close } = await openDeps(config, createLogger(config))
    await opened.readers.close()
    opened.readers = openInlineReader(config, Date.now)
    const deps = { ...opened, clock: { now: () => Date.now() + LEASE_MS + 1_000 } }
    expect(await findBrokenFiles(deps), step).toEqual([])
    expect(STATES, step).toContain(await readPublished(deps))
    deps.queue.start(allJobs.map((job) => job.toHandler(deps)))
    await claimDueWork(deps)
    await deps.queue.idle()
    await cleanStorage(deps, new AbortController().signal)
    expect(await readPublished(deps), step).toBe(STATES.at(-1))
    const received = await listReceivedFiles(deps, supplier, connectionId)
    expect(received.map(({ fileName, state }) => `${fileName} ${state}`)).toEqual([
      'u2.csv published',
      'u1.csv published',
      'u0.csv published',
      'full.csv published',
    ])
    expect(await readdir(join(dataDir, 'files/drafts')), step).toEqual([])
    await close()
  }

  it(
    'are each merged once, in their order, after a restart',
    async () => {
      const whole = await syncUntil()
      await recover(whole.dataDir, 'the end')
      await removeDataDir(whole.dataDir)
      const counts = new Map<string, number>()
      const kills = whole.steps.flatMap((step) => {
        const count = (counts.get(step) ?? 0) + 1
        counts.set(step, count)
        // Each transaction, and each other kind of step once; all steps in the long run.
        return step === 'commit' || count === 1 || rounds(0, 1) === 1 ? [`${count} ${step}`] : []
      })
      let killed = 0
      for (const last of kills) {
        const { dataDir, isKilled } = await syncUntil(last)
        if (isKilled) killed++
        await recover(dataDir, last)
        await removeDataDir(dataDir)
      }
      expect(killed).toBeGreaterThan(20)
      const measured = `0 of ${killed} kills lost one or changed their order`
      figure('crashes', 'updates that wait, killed before a step', measured, '0')
    },
    rounds(15 * MINUTE_MS, 2 * HOUR_MS),
  )
})
