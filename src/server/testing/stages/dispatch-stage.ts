import type { z } from 'zod'

import { createDestinationInput } from '../../../shared/schemas/destination'
import { createDestination } from '../../features/distribution/destinations/destinations'
import type { UserRecord } from '../../features/people/accounts/users.queries'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  removeGuards,
} from '../fixtures/factories'
import { createMemorySender } from '../fixtures/memory-sender'
import { startSourceServer } from '../servers/source-server'
import { openTestDeps } from './test-deps'

type Settings = Partial<z.input<typeof createDestinationInput>>

/** A supplier that publishes, whose retailer has its file sent to a sender in memory. */
export async function openDispatchStage() {
  const source = await startSourceServer()
  const sender = createMemorySender()
  const deps = await openTestDeps({ fetchAllow: [source.host] }, { sender })
  const supplier = await createSupplierUser(deps, {
    maxRetailers: 100,
    companyName: 'Acme & Söhne',
  })
  const retailer = await createLinkedRetailer(deps, supplier)
  let hasConnection = false
  return {
    deps,
    sender,
    supplier,
    retailer,
    /** Publishes a file of the supplier, and does all that is due. */
    async publish(body: string) {
      source.set('/stock.csv', { body })
      if (!hasConnection) await createSupplierConnection(deps, supplier, source.url('/stock.csv'))
      hasConnection = true
      await removeGuards(deps)
      await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
      await deps.work()
    },
    /** Adds a destination, and does all that is due; returns its id. */
    async add(settings: Settings = {}, owner: { id: number; user: UserRecord } = retailer) {
      const input = createDestinationInput.parse({
        id: owner.id,
        name: 'Warehouse',
        config: { url: 'https://warehouse.example/in/' },
        ...settings,
      })
      const { destinations } = await createDestination(deps, owner.user, input)
      await deps.work()
      return destinations.at(-1)!.id
    },
    async close() {
      await deps.close()
      await source.close()
    },
  }
}
export type DispatchStage = Awaited<ReturnType<typeof openDispatchStage>>
