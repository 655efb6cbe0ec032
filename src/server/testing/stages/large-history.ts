import { inTransaction } from '../../db/open'
import type { ItemHistoryRow } from '../../db/schema'
import {
  replaceHistoryFiles,
  requestHistory,
} from '../../features/distribution/item-history/item-histories.queries'
import type { KeptFile } from '../../features/distribution/item-history/kept-files'
import { addVersion } from '../../features/distribution/item-history/write-history'
import { createSupplierConnection, createSupplierUser } from '../fixtures/factories'
import { PLAIN } from '../fixtures/stock'
import type { TestDeps } from './test-deps'

const { signal } = new AbortController()
const START = Date.UTC(2026, 0, 1)

/** Each version changes every fiftieth item, others in turn. */
const CHANGED_SHARE = 1 / 50
const EVERY = 1 / CHANGED_SHARE

export const nameOfItem = (item: number) => `SKU-${String(item).padStart(7, '0')}`

/** Writes the history of a connection with many items; the quantity of each is the version that changed it last. */
export async function writeLargeHistory(
  deps: TestDeps,
  { items, versions, everyMs }: { items: number; versions: number; everyMs: number },
) {
  const supplier = await createSupplierUser(deps)
  const { id } = await createSupplierConnection(deps, supplier, 'https://example.com/feed.csv')
  const connection = await deps.db
    .selectFrom('connections')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const changedAt = new Uint16Array(items)
  const empty = { versionAt: null, beganAt: null, keyColumn: null, priceMark: null, columnEras: [] }
  const released = { waitingSince: null, obstacle: null, leaseToken: null, leaseUntil: null }
  let history: ItemHistoryRow = { connectionId: id, ...empty, ...released }
  let files: KeptFile[] = []
  for (let version = 0; version < versions; version++) {
    // The first one changes nothing.
    for (let item = version % EVERY; item < items; item += EVERY) changedAt[item] = version
    const draft = deps.files.createDraft('run')
    const content = await draft.fill(toCsv(changedAt))
    await draft.commit(content)
    const added = {
      id: version + 1,
      sha256: content.sha256,
      keysSha256: content.sha256,
      keyColumn: 'sku',
      keyQuantityColumn: 'qty',
      numbers: null,
      categoryReading: null,
      dialect: PLAIN,
      at: START + version * everyMs,
    }
    const work = { history, files, connection, version: added, owner: 'run' }
    const { files: kept, stored, ...step } = await addVersion(deps, work, signal)
    history = { ...history, ...step, versionAt: added.at }
    files = kept
    const named = new Set(files.map(({ sha256 }) => sha256))
    const unneeded = [...stored, content.sha256].filter((hash) => !named.has(hash))
    await deps.files.delete(unneeded, Infinity)
  }
  await inTransaction(deps.db, async (trx) => {
    await requestHistory(trx, id, START)
    await trx.updateTable('itemHistories').set(history).where('connectionId', '=', id).execute()
    await replaceHistoryFiles(trx, [], files)
  })
  return { connectionId: id, files, startAt: START, beganAt: history.beganAt }
}

async function* toCsv(changedAt: Uint16Array) {
  yield Buffer.from('sku,qty,price\r\n')
  for (let item = 0; item < changedAt.length;) {
    const end = Math.min(changedAt.length, item + 5_000)
    let text = ''
    for (; item < end; item++) text += `${nameOfItem(item)},${changedAt[item]},${item % 100}.50\r\n`
    yield Buffer.from(text)
  }
}
