// Counts how much due work 1, 2 and 4 processes claim in a second, from a PostgreSQL server that it
// starts: node --import tsx tools/bench/programs/claims-on-postgres.ts
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readConfig } from '../../../src/server/config'
import { migrateToLatest } from '../../../src/server/db/migrate'
import { inClaim, inTransaction } from '../../../src/server/db/open'
import { openPostgres } from '../../../src/server/db/postgres/open-postgres'
import { recordTest } from '../../../src/server/features/alerting/alerts/events'
import {
  insertMessages,
  leaseDueMessage,
} from '../../../src/server/features/alerting/outbox/outbox.queries'
import { claimDueSyncs } from '../../../src/server/features/publication/syncs/claim-syncs'
import { createSyncSlots } from '../../../src/server/features/publication/syncs/sync-slots'
import {
  createSupplierConnection,
  createSupplierUser,
} from '../../../src/server/testing/fixtures/factories'
import { startPostgresServer } from '../../../src/server/testing/servers/postgres-server'
import { openTestDeps } from '../../../src/server/testing/stages/test-deps'
import { median } from '../statistics'

const PROCESSES = [1, 2, 4]
const RUNS = 3
/** How much of each kind is due at first. */
const DUE = 1_000
const SLOTS = 4
/** Claims of deliveries that a process has open at once. */
const LANES = 4

const [url, kind] = process.argv.slice(2)
if (url === undefined) await measureAll()
else await answerWithClaims(url, kind)

async function measureAll(): Promise<void> {
  const server = await startPostgresServer({ isDurable: true })
  try {
    const address = server.toUrl('postgres')
    await fill(address)
    for (const what of ['syncs', 'deliveries']) {
      for (const count of PROCESSES) {
        const rates: number[] = []
        for (let run = 0; run < RUNS; run += 1) rates.push(await measure(address, what, count))
        process.stdout.write(`${what}, ${count} processes: ${Math.round(median(rates))}/s\n`)
      }
    }
  } finally {
    await server.close()
  }
}

/** Opens the product's modules on the database at `address`. */
async function openProcess(address: string) {
  const folder = await mkdtemp(join(tmpdir(), 'stockbridge-claims-'))
  const own = await openTestDeps(readConfig({ DATA_DIR: folder }))
  const db = openPostgres(address, () => undefined)
  const close = async () => {
    await db.destroy()
    await own.close()
    await rm(folder, { recursive: true })
  }
  return { deps: { ...own, db }, close }
}

/** Connections, each with a host of its own, and as many e-mails. */
async function fill(address: string): Promise<void> {
  const { deps, close } = await openProcess(address)
  await migrateToLatest(deps.db)
  for (let index = 0; index < DUE; index += 1) {
    const supplier = await createSupplierUser(deps)
    await createSupplierConnection(deps, supplier, `https://host-${index}.example/feed.csv`)
    await inTransaction(deps.db, async (trx) => {
      const eventId = await recordTest(trx, deps.clock.now())
      const target = { userId: supplier.id, webhookId: null }
      await insertMessages(trx, eventId, deps.clock.now(), [target])
    })
  }
  await close()
}

/** Makes everything due again, and lets processes claim all of it; returns the claims in a second. */
async function measure(address: string, what: string, count: number): Promise<number> {
  const db = openPostgres(address, () => undefined)
  const free = { leaseToken: null, leaseUntil: null }
  await db.updateTable('connections').set(free).execute()
  await db.updateTable('deliveries').set(free).execute()
  await db.destroy()
  const children = Array.from({ length: count }, () => fork(import.meta.filename, [address, what]))
  const exits = children.map(async (child) => {
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error('A process has failed')
  })
  const answers = async () => {
    const messages = children.map((child) => once(child, 'message'))
    // Fails with the first process that does; otherwise the messages come before the last exit.
    await Promise.race([Promise.all(messages), Promise.all(exits)])
    return Promise.all(messages)
  }
  await answers()
  const startedAt = performance.now()
  const ends = answers()
  for (const child of children) child.send('start')
  const claimed = (await ends).reduce((sum, [claims]) => sum + Number(claims), 0)
  const seconds = (performance.now() - startedAt) / 1_000
  await Promise.all(exits)
  if (claimed !== DUE) throw new Error(`${claimed} claims of ${DUE}`)
  return claimed / seconds
}

/** Says that it is ready, and then how much it has claimed. */
async function answerWithClaims(address: string, what: string | undefined): Promise<void> {
  const { deps, close } = await openProcess(address)
  const claim = what === 'syncs' ? claimSyncs : claimMessages
  process.send?.('ready')
  await once(process, 'message')
  process.send?.(await claim(deps))
  await close()
  process.disconnect?.()
}

type ProcessDeps = Awaited<ReturnType<typeof openProcess>>['deps']

async function claimSyncs(deps: ProcessDeps): Promise<number> {
  for (let total = 0; ;) {
    const before = total
    const add = async () => void (total += 1)
    const slots = createSyncSlots(SLOTS, deps.clock.now)
    await claimDueSyncs({ ...deps, slots, queue: { ...deps.queue, add } })
    if (total === before) return total
  }
}

async function claimMessages({ db, clock }: ProcessDeps): Promise<number> {
  let total = 0
  const lease = { now: clock.now(), leaseToken: 'token', leaseUntil: Number.MAX_SAFE_INTEGER }
  const lanes = Array.from({ length: LANES }, async () => {
    while (await inClaim(db, (trx) => leaseDueMessage(trx, 'mail', lease))) total += 1
  })
  await Promise.all(lanes)
  return total
}
