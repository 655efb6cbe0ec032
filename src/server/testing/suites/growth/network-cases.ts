import { MAX_PARTS } from '../../../../shared/merged-files'
import { createGroupInput, updateGroupInput } from '../../../../shared/schemas/group'
import { mergedRulesSchema, saveMergedFileInput } from '../../../../shared/schemas/merged-file'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import { checkDestinationsOf } from '../../../features/distribution/destinations/due-destinations'
import { createGroup, listGroups, updateGroup } from '../../../features/distribution/groups/groups'
import { checkMergedFiles } from '../../../features/distribution/merged-files/check-merged-files'
import {
  getMergedFile,
  saveMergedFile,
} from '../../../features/distribution/merged-files/merged-file'
import { pageDirectory } from '../../../features/distribution/requests/directory'
import { getOwnRetailer, pageRetailers } from '../../../features/distribution/retailers/retailers'
import { readItems } from '../../../features/operations/live/shown-items'
import { createRetailerUser } from '../../fixtures/factories'
import { seedStock } from '../../fixtures/stock'
import { openTestDeps, type TestDeps } from '../../stages/test-deps'
import { UNLIMITED } from './call-cases'
import type { Task } from './measure'

/** Of one supplier, and of one retailer company. */
const MOST_RETAILERS = 10_000
const MOST_SUPPLIERS = 50
/** So that what one relation costs is seen beside what a call costs in any case. */
const REPEATED = 5

type Work = () => Promise<void>

/** The work with the last number of relations, for runs that follow each other. */
function createStages(open: (deps: TestDeps, size: number) => Promise<Work>) {
  let last: { size: number; deps: TestDeps; work: Work } | undefined
  return async (size: number): Promise<Work> => {
    if (last?.size === size) return last.work
    await last?.deps.close()
    const deps = await openTestDeps()
    Object.assign(deps.limits, UNLIMITED)
    // What is due is done by nobody: it would be another cost at another time.
    const idle = { ...deps, queue: { ...deps.queue, add: async () => undefined } }
    last = { size, deps, work: await open(idle, size) }
    return last.work
  }
}

const STORED = { profile: shopFormatSchema.parse({}), mergedRules: mergedRulesSchema.parse({}) }

/** Each retailer of a supplier has a merged file and a destination. */
async function putOfEach(trx: WriteTransaction, supplierId: number): Promise<void> {
  const retailers = await trx
    .selectFrom('retailers')
    .select(['id', 'userId'])
    .where('supplierId', '=', supplierId)
    .execute()
  for (const { id: retailerId, userId } of retailers) {
    const { id: mergedFileId } = await trx
      .insertInto('mergedFiles')
      .values({ userId, ...STORED, createdAt: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('mergedParts')
      .values({ mergedFileId, retailerId, place: 0, prefix: 'N-' })
      .execute()
    await trx
      .insertInto('destinations')
      .values({
        retailerId,
        name: 'Warehouse',
        kind: 'web',
        config: { url: 'https://127.0.0.1/' },
        fileName: 'inventory.csv',
        createdAt: 1,
      })
      .execute()
  }
}

/** What a supplier sees and does, and what follows from its publications. */
async function openSupplier(deps: TestDeps, retailers: number): Promise<Work> {
  const { supplier, connectionId } = await seedStock(deps, {
    files: ['sku,category\r\n1,Shoes\r\n'],
    retailers,
  })
  const { id } = await createGroup(deps, supplier, createGroupInput.parse({ name: 'All' }))
  const isOwn = { hasOwnVisibility: false, hasOwnFrequency: false, hasOwnFormat: false }
  await inTransaction(deps.db, async (trx) => {
    await trx
      .updateTable('retailers')
      .set({ groupId: id, ...isOwn })
      .execute()
    await putOfEach(trx, supplier.id)
  })
  let count = 0
  return async () => {
    count += 1
    const visibilitySettings = { allProducts: false, categories: [`Category ${count}`] }
    await updateGroup(deps, supplier, updateGroupInput.parse({ id, visibilitySettings }))
    await listGroups(deps, supplier)
    await pageRetailers(deps, supplier, { q: 'retailer', page: 1, size: 100 })
    await checkDestinationsOf(deps, connectionId)
    await checkMergedFiles(deps, connectionId)
    await readItems(deps, supplier, { items: new Map(), readAt: 0 })
  }
}

/** What a retailer of several suppliers sees and does. */
async function openRetailer(deps: TestDeps, suppliers: number): Promise<Work> {
  const retailer = await createRetailerUser(deps)
  const ids: number[] = []
  for (let count = 0; count < suppliers; count += 1) {
    const { supplier } = await seedStock(deps, { files: ['sku,qty\r\n1,1\r\n'] })
    const { id } = await deps.db
      .insertInto('retailers')
      .values({
        userId: retailer.id,
        supplierId: supplier.id,
        syncFrequencyMinutes: 1,
        createdAt: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(id)
  }
  const parts = ids
    .slice(0, MAX_PARTS)
    .map((retailerId) => ({ retailerId, prefix: `S${retailerId}-` }))
  const profile = { kind: 'stock' }
  const settings = saveMergedFileInput.parse({ rules: {}, profile, parts })
  return async () => {
    for (let count = 0; count < REPEATED; count += 1) {
      await saveMergedFile(deps, retailer, settings)
      await getMergedFile(deps, retailer)
      await getOwnRetailer(deps, retailer)
      await readItems(deps, retailer, { items: new Map(), readAt: 0 })
      await pageDirectory(deps, retailer, { q: '', page: 1 })
    }
    // Each run is like the first.
    await deps.db.deleteFrom('attempts').execute()
  }
}

const run = (work: unknown) => (work as Work)()

/** Costs that grow with how many relations a company has. */
export const networkCases: Readonly<Record<string, Task>> = {
  'relations of a supplier': {
    run,
    inputs: { retailers: createStages(openSupplier) },
    largest: MOST_RETAILERS,
  },
  'relations of a retailer': {
    run,
    inputs: { suppliers: createStages(openRetailer) },
    largest: MOST_SUPPLIERS,
  },
}
