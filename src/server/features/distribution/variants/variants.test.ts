import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { shopFormatSchema, type ShopFormat } from '../../../../shared/schemas/shop-format'
import { FileError } from '../../../files/file-error'
import type { FileReaders, FilterTask } from '../../../files/file-readers'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { listStoredFiles } from '../../../testing/fixtures/stored-files'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { getLatestFile } from '../downloads/retailer-files'
import { buildWaitingVariants } from './variants'

type Shop = { id: number; user: UserRecord }

let sourceServer: SourceServer
let deps: TestDeps
let stopping: AbortController
/** Asks for the filtered file, without building it. */
let ask: () => Promise<unknown>
/** Adds a retailer that sees these categories, and asks for its file. */
let addShop: (categories: string[], profile?: Partial<ShopFormat>) => Promise<Shop>

beforeEach(async () => {
  stopping = new AbortController()
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: 'sku,category\r\n1,A\r\n2,B\r\n' })
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  const supplier = await createSupplierUser(deps)
  await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
  await deps.work()
  const idle = { ...deps, queue: { ...deps.queue, add: async () => undefined } }
  addShop = async (categories, profile = {}) => {
    const shop = await createLinkedRetailer(deps, supplier, { allProducts: false, categories })
    const set = { profile: shopFormatSchema.parse(profile) }
    await deps.db.updateTable('retailers').set(set).where('id', '=', shop.id).execute()
    await getLatestFile(idle, shop.user, shop.id)
    return shop
  }
  const shop = await addShop(['A'])
  ask = () => getLatestFile(idle, shop.user, shop.id)
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

/** Builds waiting variants; `meanwhile` runs after a file was written and before it is recorded. */
function build(meanwhile: (task: FilterTask) => unknown = () => undefined) {
  const run: FileReaders['run'] = async (...task) => {
    const result = await deps.readers.run(...task)
    await meanwhile(task[1] as FilterTask)
    return result
  }
  return buildWaitingVariants({ ...deps, readers: { ...deps.readers, run } }, stopping.signal)
}

const variants = () =>
  deps.db
    .selectFrom('variants')
    .select(['status', 'leaseToken', 'rowCount'])
    .orderBy('id')
    .execute()

describe('building a filtered file', () => {
  it('marks the variant as ready and releases it', async () => {
    await build()
    expect(await variants()).toEqual([{ status: 'ready', leaseToken: null, rowCount: 1 }])
  })

  it('marks the variant as failed and releases it when an error occurs', async () => {
    await build(() => Promise.reject(new Error('secret at /srv/data')))
    expect(await variants()).toMatchObject([{ status: 'failed', leaseToken: null }])
  })

  it.each([
    ['a minute later', 60_000, 'processing'],
    ['no sooner', 59_999, 'failed'],
    ['once a clock that was ahead is set right', -3_600_000, 'processing'],
  ])('retries a refused one %s', async (_when, elapsed, status) => {
    await build(() => Promise.reject(new FileError('too-large', 'Too large')))
    deps.clock.advance(elapsed)
    await ask().catch(() => undefined)
    expect(await variants()).toMatchObject([{ status }])
  })

  it('forgets a refusal when a retry fails for another reason', async () => {
    const refusals = () =>
      deps.db.selectFrom('variants').select(['status', 'refusal', 'refusedAt']).execute()
    await build(() => Promise.reject(new FileError('too-large', 'Too large')))
    expect(await refusals()).toMatchObject([{ status: 'failed', refusal: 'Too large' }])
    deps.clock.advance(60_000)
    await ask()
    await build(() => Promise.reject(new Error('secret at /srv/data')))
    expect(await refusals()).toEqual([{ status: 'failed', refusal: null, refusedAt: null }])
  })

  it('leaves the variant waiting when the build is aborted', async () => {
    await build(() => {
      stopping.abort(new Error('The process stops'))
      throw stopping.signal.reason
    })
    const waiting = { status: 'processing', leaseToken: null }
    expect(await variants()).toMatchObject([waiting])
    stopping = new AbortController()
    await build()
    expect(await variants()).toMatchObject([{ status: 'ready' }])
  })

  it('discards the file when the variant was deleted meanwhile', async () => {
    const before = await listStoredFiles(deps)
    await build(() => deps.db.deleteFrom('variants').execute())
    expect(await variants()).toEqual([])
    expect(await listStoredFiles(deps)).toEqual(before)
  })

  it('does not change the variant when another run has taken over', async () => {
    await build(async () => {
      await deps.db
        .updateTable('variants')
        .set({ leaseToken: 'another', leaseUntil: deps.clock.now() + 30_000 })
        .execute()
      throw new Error('Too late')
    })
    const leased = { status: 'processing', leaseToken: 'another' }
    expect(await variants()).toMatchObject([leased])
  })
})

describe('filtered files of one version', () => {
  const counts = async () => (await variants()).map(({ status, rowCount }) => [status, rowCount])
  const sizes: number[] = []
  const note = ({ views }: FilterTask) => void sizes.push(views.length)

  beforeEach(() => {
    sizes.length = 0
  })

  it('are built together, each with its own rows', async () => {
    await addShop(['A', 'B'])
    await addShop(['none'])
    await build(note)
    expect(sizes).toEqual([3])
    expect(await counts()).toEqual([
      ['ready', 1],
      ['ready', 2],
      ['ready', 0],
    ])
  })

  it('are built one by one when they fail together, so that one makes no other fail', async () => {
    await addShop(['A', 'B'])
    await addShop(['none'])
    await build((task) => {
      note(task)
      const isBad = task.views.some(({ categories }) => categories?.includes('b'))
      if (isBad) throw new Error('This one takes too long')
    })
    expect(sizes).toEqual([3, 1, 1, 1])
    expect(await counts()).toEqual([
      ['ready', 1],
      ['failed', null],
      ['ready', 0],
    ])
  })

  it('are built without one that is refused', async () => {
    const columns = [{ column: 'price', header: 'price' }]
    await addShop(['A', 'B'], { kind: 'own', columns })
    await build(note)
    expect(sizes).toEqual([2])
    expect(await counts()).toEqual([
      ['ready', 1],
      ['failed', null],
    ])
  })

  it('are released and discarded one by one when requests are dropped meanwhile', async () => {
    await addShop(['A', 'B'])
    const before = await listStoredFiles(deps)
    const dropped = deps.db.selectFrom('variants').select(({ fn }) => fn.max('id').as('id'))
    await build(() => deps.db.deleteFrom('variants').where('id', 'in', dropped).execute())
    expect(await counts()).toEqual([['ready', 1]])
    expect(await listStoredFiles(deps)).toHaveLength(before.length + 1)
  })

  it('wait again when their building is aborted', async () => {
    await addShop(['A', 'B'])
    await build(() => {
      stopping.abort(new Error('The process stops'))
      throw stopping.signal.reason
    })
    const waiting = { status: 'processing', leaseToken: null }
    expect(await variants()).toMatchObject([waiting, waiting])
  })
})
