import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FileError } from '../../../files/file-error'
import type { FileReaders } from '../../../files/file-readers'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { listStoredFiles } from '../../../testing/fixtures/stored-files'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { getLatestFile } from '../downloads/retailer-files'
import { buildWaitingVariants } from './variants'

let sourceServer: SourceServer
let deps: TestDeps
let stopping: AbortController
/** Asks for the filtered file, without building it. */
let ask: () => Promise<unknown>

beforeEach(async () => {
  stopping = new AbortController()
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: 'sku,category\r\n1,A\r\n2,B\r\n' })
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  const supplier = await createSupplierUser(deps)
  await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
  await deps.work()
  const shop = await createLinkedRetailer(deps, supplier, { allProducts: false, categories: ['A'] })
  const idle = { ...deps, queue: { ...deps.queue, add: async () => undefined } }
  ask = () => getLatestFile(idle, shop.user, shop.id)
  await ask()
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

/** Builds waiting variants; `meanwhile` runs after a file was written and before it is recorded. */
function build(meanwhile: () => unknown = () => undefined) {
  const run: FileReaders['run'] = async (...task) => {
    const result = await deps.readers.run(...task)
    await meanwhile()
    return result
  }
  return buildWaitingVariants({ ...deps, readers: { ...deps.readers, run } }, stopping.signal)
}

const variants = () =>
  deps.db.selectFrom('variants').select(['status', 'leaseToken', 'rowCount']).execute()

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
