import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { browseRowsInput, type BrowseRowsInput } from '../../../../shared/schemas/file-rows'
import type { Actor } from '../../../domain/actor'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { loseContent } from '../../../testing/fixtures/stored-files'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { browseConnectionRows } from '../../catalogue/versions/browse-rows'
import type { UserRecord } from '../../people/accounts/users.queries'
import { updateRetailer } from '../retailers/retailers'
import { browseRetailerRows, getLatestFile } from './retailer-files'

const ROW_COUNT = 120
const makeFile = (name: string) =>
  `sku,name,category\r\n${Array.from(
    { length: ROW_COUNT },
    (_, row) => `S-${row + 1},${name},${row % 2 === 0 ? 'Hats' : 'Shoes'}\r\n`,
  ).join('')}`

describe('browsing rows', () => {
  let sourceServer: SourceServer
  let deps: TestDeps
  let supplier: UserRecord
  let connectionId: number
  let retailer: { id: number; user: UserRecord }

  beforeEach(async () => {
    sourceServer = await startSourceServer()
    deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
    supplier = await createSupplierUser(deps)
    retailer = await createLinkedRetailer(deps, supplier, {
      allProducts: false,
      categories: ['Hats'],
    })
    sourceServer.set('/feed.csv', { body: makeFile('Thing') })
    connectionId = (await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv')))
      .id
    await deps.work()
  })
  afterEach(async () => {
    await deps.close()
    await sourceServer.close()
  })

  async function latestFileName() {
    const file = await getLatestFile(deps, retailer.user, retailer.id)
    return 'fileName' in file ? file.fileName : file.message
  }

  async function browse(input: Partial<BrowseRowsInput> = {}, actor: Actor = retailer.user) {
    const fileName = input.fileName ?? (await latestFileName())
    return browseRetailerRows(
      deps,
      actor,
      browseRowsInput.parse({ id: retailer.id, ...input, fileName }),
    )
  }

  const skusOf = ({ rows }: Awaited<ReturnType<typeof browse>>) => rows.map(({ cells }) => cells[0])

  it('returns exactly the retailer’s rows in pages, also to its supplier', async () => {
    for (const actor of [retailer.user, supplier]) {
      const first = await browse({}, actor)
      expect(first).toMatchObject({ rowCount: 60, rowsRead: 50, columnCount: 3 })
      const second = await browse({ cursor: first.nextCursor }, actor)
      expect(second).toMatchObject({ rowsRead: 60, nextCursor: null })
      const skus = Array.from({ length: 60 }, (_, row) => `S-${2 * row + 1}`)
      expect([...skusOf(first), ...skusOf(second)]).toEqual(skus)
    }
  })

  it('returns all rows of a supplier’s own connection', async () => {
    const fileName = await latestFileName()
    const input = browseRowsInput.parse({ id: connectionId, fileName, q: ' shoes ' })
    const page = await browseConnectionRows(deps, supplier, input)
    expect(page).toMatchObject({ rowCount: ROW_COUNT, rows: { length: 50 } })
    const other = await createSupplierUser(deps)
    await expect(browseConnectionRows(deps, other, input)).rejects.toMatchObject({ status: 404 })
  })

  it('finds no row that the retailer may not see', async () => {
    expect(await browse({ q: 'shoes' })).toMatchObject({ rows: [], nextCursor: null })
    expect(skusOf(await browse({ q: 's-11' }))).toEqual(
      ['S-11', 'S-111', 'S-113', 'S-115'].concat(['S-117', 'S-119']),
    )
  })

  it('is refused to other suppliers and retailers, and for files that were never the retailer’s', async () => {
    const other = await createSupplierUser(deps)
    const stranger = await createLinkedRetailer(deps, supplier)
    for (const actor of [other, stranger.user]) {
      await expect(browse({}, actor)).rejects.toMatchObject({ status: 404 })
    }
    await expect(browse({ fileName: 'connection_1_x.csv' })).rejects.toMatchObject({ status: 404 })
  })

  it('goes on in the same file after a newer one was published', async () => {
    const fileName = await latestFileName()
    const { nextCursor } = await browse({ fileName })
    sourceServer.set('/feed.csv', { body: makeFile('Newer') })
    deps.clock.advance(24 * 60 * 60_000)
    await deps.work()
    expect(await latestFileName()).not.toBe(fileName)
    const { rows } = await browse({ fileName, cursor: nextCursor })
    expect(rows[0]).toEqual({ number: 51, cells: ['S-101', 'Thing', 'Hats'] })
  })

  it('refuses a cursor that is not one, and one of other rows', async () => {
    const { nextCursor } = await browse()
    const last = nextCursor?.at(-5) === 'A' ? 'B' : 'A'
    const changed = `${nextCursor?.slice(0, -5)}${last}${nextCursor?.slice(-4)}`
    const refusal = { status: 400, field: 'cursor' }
    for (const cursor of ['0', changed, 'a.b', `${nextCursor?.split('.')[0]}.`]) {
      await expect(browse({ cursor })).rejects.toMatchObject(refusal)
    }
    await updateRetailer(deps, supplier, {
      id: retailer.id,
      visibilitySettings: { allProducts: true, categories: [] },
    })
    await expect(browse({ cursor: nextCursor })).rejects.toMatchObject(refusal)
  })

  it('responds 503 when the stored file is gone, as it may be until it is built again', async () => {
    const fileName = await latestFileName()
    const { sha256 } = await deps.db
      .selectFrom('variants')
      .select('sha256')
      .executeTakeFirstOrThrow()
    await loseContent(deps.files, sha256 ?? '')
    await expect(browse({ fileName })).rejects.toMatchObject({ status: 503 })
  })

  it('reads one page of a user at a time, and nothing for a caller who has gone', async () => {
    const { signal } = new AbortController()
    const release = await deps.browsing.acquire(retailer.user.id, signal)
    const fileName = await latestFileName()
    const leaving = new AbortController()
    const input = browseRowsInput.parse({ id: retailer.id, fileName })
    const waiting = browseRetailerRows(deps, retailer.user, { ...input, signal: leaving.signal })
    leaving.abort(new Error('The client has gone'))
    await expect(waiting).rejects.toMatchObject({ status: 503 })
    const next = browse({ fileName })
    release()
    expect(await next).toMatchObject({ rowCount: 60 })
  })
})
