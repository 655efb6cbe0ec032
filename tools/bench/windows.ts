import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'kysely'

import { inTransaction, type Db, type WriteTransaction } from '../../src/server/db/open'
import { listen } from '../../src/server/features/operations/live/live'
import { findUser } from '../../src/server/features/people/accounts/users.queries'
import type { TestDeps } from '../../src/server/testing/stages/test-deps'
import { createCleanups } from './cleanups'
import { atMost, formatNumber } from './goal'
import { openModules } from './module-stage'
import { startProgram } from './program'
import type { Row } from './row'

/** Open windows of each role. */
const WINDOWS = { SUPPLIER: 2_000, RETAILER: 2_990, SUPER_ADMIN: 10 }
const CHANGES_PER_SECOND = 100
/** Until the first state of each window has been read. */
const SETTLE_MS = 5_000
/** How long their cost is measured. */
export const WINDOWS_MS = 20_000
const QUICK_MS = 3_000
const YEAR_MS = 365 * 24 * 60 * 60_000

export const windowRows: readonly Row[] = [
  {
    number: 21,
    name: 'windows',
    parts: [
      {
        what: '5,000 open windows and 100 changes a second: processor time',
        goal: atMost(20, '%'),
      },
    ],
    async measure(bench) {
      const { deps } = await openModules(bench, 'windows')
      deps.clock.advance(Date.now() - deps.clock.now())
      const { busy } = await measureWindows(
        deps,
        deps.config.databaseFile,
        bench.isQuick ? QUICK_MS : WINDOWS_MS,
      )
      return [{ value: busy, ours: `${formatNumber(busy)} %` }]
    },
  },
]

/** Of one processor, in percent; and how many items a second the windows were sent while it was busy. */
export type WindowCost = { quiet: number; busy: number; itemsPerSecond: number }

/**
 * Opens the live streams of 5,000 people in this process, without sockets, and measures what they take
 * while nothing changes, and while another process changes connections.
 * @param address of the database that `deps` has open
 */
export async function measureWindows(
  deps: TestDeps,
  address: string,
  measureMs: number,
): Promise<WindowCost> {
  const ids = await addPeople(deps.db)
  let items = 0
  const windows = ids.map(async (id) => {
    const actor = await findUser(deps.db, id)
    if (!actor) throw new Error('A user is missing')
    const listener = { actor, sessionHash: toSession(id), signal: undefined }
    for await (const event of listen(deps, listener)) items += event.length
  })
  let failure: unknown
  const ends = Promise.all(windows).catch((error: unknown) => (failure = error))
  await sleep(SETTLE_MS)
  const quiet = await measureShare(measureMs)
  const writer = createCleanups()
  await startProgram('connection-writer', [address, String(CHANGES_PER_SECOND)], writer)
  items = 0
  const busy = await measureShare(measureMs)
  const itemsPerSecond = (items / measureMs) * 1_000
  await writer.run()
  if (failure !== undefined) throw failure
  if (items === 0) throw new Error('The windows were sent nothing')
  deps.changes.close()
  await ends
  return { quiet, busy, itemsPerSecond }
}

async function measureShare(measureMs: number): Promise<number> {
  const before = process.cpuUsage()
  const startedAt = performance.now()
  await sleep(measureMs)
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / 1_000 / (performance.now() - startedAt)) * 100
}

const toSession = (id: number) => `session ${id}`

/** Suppliers with connections, retailers of theirs, administrators, and a session for each. */
function addPeople(db: Db): Promise<number[]> {
  return inTransaction(db, async (trx) => {
    for (const [role, count] of Object.entries(WINDOWS)) await addUsers(trx, role, count)
    const now = Date.now()
    const config = JSON.stringify({ url: 'https://feeds.example.com/stock.csv' })
    await sql`insert into connections ("supplierId", name, type, config, "fileFormat",
        "syncFrequencyMinutes", "createdAt", "nextSyncAt", "lastSyncAt")
      select id, 'Stock', 'CSV', ${config}, 'CSV', 1440, 1, ${now + YEAR_MS}, ${now}
      from users where "usernameKey" like 'window-SUPPLIER-%'`.execute(trx)
    await sql`insert into retailers ("userId", "supplierId", "syncFrequencyMinutes", "createdAt")
      select id, (select min(id) from users where "usernameKey" like 'window-SUPPLIER-%')
        + id % ${sql.lit(WINDOWS.SUPPLIER)}, 60, 1
      from users where "usernameKey" like 'window-RETAILER-%'`.execute(trx)
    const people = await trx
      .selectFrom('users')
      .select('id')
      .where('usernameKey', 'like', 'window-%')
      .execute()
    const times = { createdAt: now, touchedAt: now, expiresAt: now + YEAR_MS }
    for (const { id } of people) {
      const session = { idHash: toSession(id), userId: id, data: {}, ...times }
      await trx.insertInto('sessions').values(session).execute()
    }
    return people.map(({ id }) => id)
  })
}

async function addUsers(trx: WriteTransaction, role: string, count: number): Promise<void> {
  const prefix = `window-${role}-`
  await sql`with recursive counted(n) as (
      select 1 union all select n + 1 from counted where n < ${sql.lit(count)})
    insert into users (username, "usernameKey", role, "createdAt")
    select ${sql.lit(prefix)} || n, ${sql.lit(prefix)} || n, ${sql.lit(role)}, n
    from counted`.execute(trx)
}
