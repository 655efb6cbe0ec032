import { setTimeout as sleep } from 'node:timers/promises'

import { inTransaction, type Db } from '../../src/server/db/open'
import { RELEASED } from '../../src/server/domain/lease'
import { claimDueSyncs } from '../../src/server/features/publication/syncs/claim-syncs'
import type { Bench } from './bench'
import { atLeast, atMost, formatNumber } from './goal'
import { interleave } from './interleave'
import { changeConnection, openModules, type Claim } from './module-stage'
import type { Row } from './row'
import { median } from './statistics'
import { readCpuMs, requireVitals } from './vitals'

const CONNECTIONS = 1_000
const CLAIMS = 300
const IDLE_MS = 5_000

export const queueRows: readonly Row[] = [
  {
    number: 18,
    name: 'queue',
    parts: [
      { what: 'syncs claimed one by one, each written to disk', goal: atLeast(1_000, 'per s') },
      { what: 'processor time of an idle product', goal: atMost(1, '%') },
    ],
    async measure(bench) {
      requireVitals()
      const claim = await openClaimer(bench)
      const [rates = []] = await interleave(bench.runs, [claim])
      const { product } = await bench.stage()
      const before = await readCpuMs(product.pid)
      await sleep(IDLE_MS)
      const share = ((await readCpuMs(product.pid)) - before) / IDLE_MS
      const rate = median(rates)
      return [
        { value: rate, ours: `${formatNumber(rate)}/s` },
        { value: share * 100, ours: `${formatNumber(share * 100)} %` },
      ]
    },
  },
]

/** Returns a function that claims due syncs, as the scheduler does, and tells how many in a second. */
async function openClaimer(bench: Bench): Promise<() => Promise<number>> {
  const { deps, connection } = await openModules(bench, 'claiming')
  await multiplySupplier(deps.db, connection.id)
  const claimed: Claim[] = []
  const claiming = {
    ...deps,
    // One free slot, whatever has been claimed; what is claimed is not run.
    slots: { ...deps.slots, countFree: () => 1, reserve: () => undefined },
    queue: {
      ...deps.queue,
      add: async ({ payload }: { payload: unknown }) => void claimed.push(payload as Claim),
    },
  }
  return async () => {
    let ms = 0
    for (let count = 0; count < CLAIMS; count += 1) {
      const startedAt = performance.now()
      await claimDueSyncs(claiming)
      ms += performance.now() - startedAt
      const claim = claimed.pop()
      if (!claim) throw new Error('Nothing was claimed')
      await changeConnection(deps, claim.connectionId, {
        ...RELEASED,
        nextSyncAt: deps.clock.now(),
      })
    }
    return CLAIMS / (ms / 1_000)
  }
}

/** Adds suppliers whose connections are due as well. */
async function multiplySupplier(db: Db, id: number): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { id: _, ...first } = await trx
      .selectFrom('connections')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    for (let count = 1; count < CONNECTIONS; count += 1) {
      const username = `supplier-${count}`
      const { id: supplierId } = await trx
        .insertInto('users')
        .values({ username, usernameKey: username, role: 'SUPPLIER', createdAt: first.createdAt })
        .returning('id')
        .executeTakeFirstOrThrow()
      await trx
        .insertInto('connections')
        .values({ ...first, supplierId })
        .execute()
    }
  })
}
