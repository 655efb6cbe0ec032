import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import type { Actor } from '../../../domain/actor'
import {
  createAdmin,
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { updateRetailer } from '../retailers/retailers'
import { getLatestFile, openRetailerFile, previewRetailerFile } from './retailer-files'

const HEADER = 'sku,category,qty\r\n'
const BOOTS = '1,Shoes > Boots,5\r\n'
const SANDALS = '2,Shoes > Sandals,3\r\n'
const CAP = '3,Hats,0\r\n'
const BELT = '4,Belts,8\r\n'
const FIRST = HEADER + BOOTS + SANDALS + CAP + BOOTS
const SECOND = FIRST + BELT

describe('a retailer’s file', () => {
  let sourceServer: SourceServer
  let deps: TestDeps
  let supplier: UserRecord
  let retailer: { id: number; user: UserRecord }

  beforeEach(async () => {
    sourceServer = await startSourceServer()
    deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
    supplier = await createSupplierUser(deps)
    retailer = await createLinkedRetailer(deps, supplier)
  })
  afterEach(async () => {
    await deps.close()
    await sourceServer.close()
  })

  async function publish(body: string) {
    sourceServer.set('/feed.csv', { body })
    const known = await deps.db.selectFrom('connections').select('id').executeTakeFirst()
    if (!known) await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
    await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
    await deps.work()
  }

  const latest = (actor: Actor = retailer.user) => getLatestFile(deps, actor, retailer.id)

  /**
   * Downloads the latest file as `actor`; returns its content, or the message when there is none.
   */
  async function download(actor: Actor = retailer.user): Promise<string> {
    const file = await latest(actor)
    if (!('fileName' in file)) return file.message
    const { fileName } = file
    const opened = await openRetailerFile(deps, actor, { id: retailer.id, fileName })
    await opened.onRead?.({ isSent: true })
    await deps.pulls.flush()
    return text(await deps.files.read(opened.sha256))
  }

  const restrict = (categories: string[]) =>
    updateRetailer(deps, supplier, {
      id: retailer.id,
      visibilitySettings: { allProducts: false, categories },
    })

  const downloadRows = () => deps.db.selectFrom('downloads').selectAll().execute()
  const counts = async () => {
    const rows = await deps.db.selectFrom('retailerPulls').select('dayCounts').execute()
    return rows.map(({ dayCounts }) => dayCounts)
  }

  it('is a message until a version is published', async () => {
    expect(await latest()).toEqual({ message: 'No file is available yet' })
    expect(await previewRetailerFile(deps, retailer.user, retailer.id)).toHaveProperty('message')
  })

  it('is the published file, byte for byte, for a retailer who sees all products', async () => {
    await publish(FIRST)
    expect(await download()).toBe(FIRST)
    expect(await latest()).toMatchObject({ fileSize: FIRST.length, rowCount: 4 })
  })

  describe('moves to a newer version', () => {
    beforeEach(async () => {
      await updateRetailer(deps, supplier, { id: retailer.id, syncFrequency: 240 })
      await publish(FIRST)
      await latest()
      await publish(SECOND)
    })

    it('only when the retailer’s frequency, less a tenth, has passed', async () => {
      deps.clock.advance(3.5 * HOUR_MS)
      expect(await download()).toBe(FIRST)
      deps.clock.advance(0.1 * HOUR_MS)
      expect(await download()).toBe(SECOND)
    })

    it('at the next request after a change of the retailer’s settings', async () => {
      await updateRetailer(deps, supplier, { id: retailer.id, syncFrequency: 1440 })
      expect(await download()).toBe(SECOND)
    })

    it('at once when the frequency is real-time', async () => {
      await updateRetailer(deps, supplier, { id: retailer.id, syncFrequency: 0 })
      await latest()
      await publish(FIRST)
      expect(await download()).toBe(FIRST)
    })

    it('only at the retailer’s own request, which is also the only one counted', async () => {
      deps.clock.advance(5 * HOUR_MS)
      const admin = await createAdmin(deps)
      expect(await download(supplier)).toBe(SECOND)
      expect(await download(admin)).toBe(SECOND)
      expect(await downloadRows()).toHaveLength(1)
      expect(await counts()).toEqual([])
    })

    it('and leaves the older version downloadable by its name', async () => {
      const file = await latest()
      if (!('fileName' in file)) throw new Error(file.message)
      deps.clock.advance(5 * HOUR_MS)
      await latest()
      const { fileName } = file
      const opened = await openRetailerFile(deps, retailer.user, { id: retailer.id, fileName })
      expect(await text(await deps.files.read(opened.sha256))).toBe(FIRST)
    })
  })

  it('is recorded once per version, and every pull is counted', async () => {
    await publish(FIRST)
    await latest()
    await download()
    await download()
    expect(await downloadRows()).toMatchObject([
      { retailerId: retailer.id, status: 'ready', fileSize: FIRST.length },
    ])
    expect((await counts()).map(([today]) => today)).toEqual([2])
  })

  describe('of a retailer who sees some categories', () => {
    it('has exactly the rows of the chosen categories, in their order', async () => {
      await restrict(['Hats', 'Shoes > Boots'])
      await publish(FIRST)
      expect(await download()).toBe(HEADER + BOOTS + CAP + BOOTS)
      expect(await latest()).toMatchObject({ rowCount: 3 })
    })

    it('includes the rows of subcategories', async () => {
      await restrict(['shoes'])
      await publish(FIRST)
      expect(await download()).toBe(HEADER + BOOTS + SANDALS + BOOTS)
    })

    it('has only the header when no category is chosen', async () => {
      await restrict([])
      await publish(FIRST)
      expect(await download()).toBe(HEADER)
    })

    it('has only the header when the file has no category column', async () => {
      await restrict(['Hats'])
      await publish('sku,qty\r\n1,5\r\n')
      expect(await download()).toBe('sku,qty\r\n')
    })

    it('is never a file built for earlier settings', async () => {
      await restrict(['Hats'])
      await publish(FIRST)
      expect(await download()).toBe(HEADER + CAP)
      await restrict(['Shoes'])
      expect(await download()).toMatch('being prepared')
      await deps.queue.idle()
      expect(await download()).toBe(HEADER + BOOTS + SANDALS + BOOTS)
    })

    it('responds 503 with Retry-After while it is being built', async () => {
      await publish(FIRST)
      const file = await latest()
      if (!('fileName' in file)) throw new Error(file.message)
      await restrict(['Hats'])
      const attempt = openRetailerFile(deps, retailer.user, {
        id: retailer.id,
        fileName: file.fileName,
      })
      await expect(attempt).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 })
      expect(await latest()).toHaveProperty('message')
      expect(await downloadRows()).toMatchObject([{ status: 'processing' }])
      await deps.queue.idle()
      await latest()
      expect(await downloadRows()).toMatchObject([
        { status: 'ready', fileSize: (HEADER + CAP).length },
      ])
    })

    it('is built when a version is published, and shared by retailers with the same categories', async () => {
      await restrict(['Hats', 'Shoes'])
      await createLinkedRetailer(deps, supplier, {
        allProducts: false,
        categories: ['shoes ', 'HATS'],
      })
      await publish(FIRST)
      const variants = await deps.db.selectFrom('variants').selectAll().execute()
      expect(variants).toMatchObject([{ status: 'ready', rowCount: 4 }])
    })

    it('is previewed with the retailer’s rows only', async () => {
      await restrict(['Hats'])
      await publish(FIRST)
      expect(await previewRetailerFile(deps, retailer.user, retailer.id)).toMatchObject({
        columns: ['sku', 'category', 'qty'],
        rows: [['3', 'Hats', '0']],
        rowCount: 1,
      })
    })

    it('is built again after the process that built it has died', async () => {
      await publish(FIRST)
      await restrict(['Hats'])
      await latest()
      await deps.queue.idle()
      await deps.db
        .updateTable('variants')
        .set({ status: 'processing', leaseToken: 'dead', leaseUntil: deps.clock.now() + MINUTE_MS })
        .execute()
      expect(await download()).toMatch('being prepared')
      deps.clock.advance(MINUTE_MS)
      await deps.work()
      expect(await download()).toBe(HEADER + CAP)
    })
  })

  it('stays available when the supplier is deactivated', async () => {
    await publish(FIRST)
    await deps.db
      .updateTable('users')
      .set({ isActive: false })
      .where('id', '=', supplier.id)
      .execute()
    deps.clock.advance(48 * HOUR_MS)
    expect(await download()).toBe(FIRST)
  })
})
