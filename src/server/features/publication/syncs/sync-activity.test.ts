import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createSupplierConnection, createSupplierUser } from '../../../testing/fixtures/factories'
import { setSlowSource } from '../../../testing/servers/slow-source'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { claimDueWork } from '../../operations/scheduling/claim-due-work'
import { updateSupplier } from '../../operations/suppliers/suppliers'
import { readSyncActivity } from './sync-activity'

/** Longer than the part the reader inspects before it counts rows. */
const LONG = `sku,qty\r\n${'1,5\r\n'.repeat(20_000)}`
const IDLE = { running: [], runningCount: 0, waiting: [], waitingCount: 0 }

let sourceServer: SourceServer
let deps: TestDeps

beforeEach(async () => {
  sourceServer = await startSourceServer()
  deps = await openTestDeps({ fetchAllow: [sourceServer.host], workerConcurrency: 1 })
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

async function addConnection(companyName: string | null, path: string) {
  const supplier = await createSupplierUser(deps, { companyName })
  const { id } = await createSupplierConnection(deps, supplier, sourceServer.url(path))
  return { supplier, id }
}

const read = () => readSyncActivity(deps)

describe('the activity of syncs', () => {
  it('is empty when nothing is due', async () => {
    expect(await read()).toEqual(IDLE)
  })

  it('has the running syncs with their progress, and those that wait for a slot', async () => {
    const slow = await addConnection('Slow Ltd', '/slow.csv')
    const { asked } = setSlowSource(sourceServer, '/slow.csv', LONG, { 'content-length': '200000' })
    await claimDueWork(deps)
    const response = await asked
    deps.clock.advance(1_000)
    const next = await addConnection(null, '/next.csv')
    const startedAt = new Date(deps.clock.now() - 1_000).toISOString()
    await expect.poll(read, { timeout: 10_000 }).toMatchObject({
      running: [{ progress: { bytes: LONG.length, rows: 20_000, expectedBytes: 200_000 } }],
    })
    expect(await read()).toMatchObject({
      running: [
        {
          connectionId: slow.id,
          supplierId: slow.supplier.id,
          supplierName: 'Slow Ltd',
          startedAt,
        },
      ],
      runningCount: 1,
      waiting: [{ connectionId: next.id, supplierName: next.supplier.username }],
      waitingCount: 1,
    })
    response.destroy()
    await deps.queue.idle()
  })

  it('leaves out what is due for an inactive supplier', async () => {
    const { supplier } = await addConnection('Gone', '/gone.csv')
    expect(await read()).toMatchObject({ waitingCount: 1 })
    await updateSupplier(deps, { id: supplier.id, isActive: false })
    expect(await read()).toEqual(IDLE)
  })

  it('lists the first waiting syncs, and counts all', async () => {
    for (let count = 0; count < 27; count++) await addConnection(`Supplier ${count}`, '/feed.csv')
    const { waiting, waitingCount } = await read()
    expect([waiting.length, waitingCount]).toEqual([25, 27])
  })
})
