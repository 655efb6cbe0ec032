import { createHash } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MAX_ATTACHED_BYTES } from '../../../shared/destinations'
import { DAY_MS, MINUTE_MS } from '../../../shared/durations'
import { columnPolicySchema } from '../../../shared/schemas/column-policy'
import type { VisibilitySettings } from '../../../shared/schemas/retailer'
import { inTransaction } from '../../db/open'
import { saveColumnPolicy } from '../../features/distribution/column-policy/column-policy'
import { deleteEndedFileLinks } from '../../features/distribution/destinations/file-links.queries'
import { updateRetailer } from '../../features/distribution/retailers/retailers'
import { cleanStorage } from '../../features/distribution/stored-files/storage-cleaning'
import { listStoredFiles } from '../../testing/fixtures/stored-files'
import {
  MAILED_CONTENT,
  openFileMailStage,
  type FileMailStage,
} from '../../testing/stages/file-mail-stage'
import type { Client } from '../../testing/stages/test-app'

let stage: FileMailStage
let reader: Client
beforeEach(async () => {
  stage = await openFileMailStage()
  reader = stage.testApp.client(undefined, '203.0.113.7')
})
afterEach(() => stage.close())

const LARGE = { sizeBytes: MAX_ATTACHED_BYTES + 1 }
const pathsTo = (name: string) =>
  stage.mailsTo(name).map((source) => /example\.com(\/files\/[\da-f]{64})/.exec(source)?.[1] ?? '')

/** Sends a file as a link; what it is said to be only decides that it is one. */
async function sendLink(name = 'ada'): Promise<string> {
  await stage.send(await stage.putDispatch(), LARGE)
  await stage.deps.db.updateTable('fileLinks').set({ sizeBytes: stage.file.sizeBytes }).execute()
  return pathsTo(name).at(-1)!
}
const get = (path: string, headers: Record<string, string> = {}) =>
  reader.request('GET', path, undefined, headers)
const connection = () =>
  stage.deps.db.selectFrom('connections').select('id').executeTakeFirstOrThrow()
const see = (visibilitySettings: VisibilitySettings) =>
  updateRetailer(stage.deps, stage.supplier, { id: stage.retailerId, visibilitySettings })
async function hide(column: string) {
  const { id } = await connection()
  const policy = columnPolicySchema.parse({ hidden: [column] })
  await saveColumnPolicy(stage.deps, stage.supplier, { id, policy })
}
const links = () => stage.deps.db.selectFrom('fileLinks').selectAll().execute()
const pulls = async () => {
  await stage.deps.pulls.flush()
  const rows = await stage.deps.db.selectFrom('recentDownloads').selectAll().execute()
  return rows.flatMap(({ newestDownloads }) => newestDownloads)
}

describe('a link to a sent file', () => {
  it('downloads that file under its name, as often as it is opened, for a week', async () => {
    const path = await sendLink()
    for (let time = 0; time < 3; time += 1) {
      const { status, text, headers } = await get(path)
      expect([status, text]).toEqual([200, MAILED_CONTENT])
      expect(headers).toMatchObject({
        'content-disposition': 'attachment; filename="inventory.csv"',
        'content-type': 'text/csv; charset=utf-8',
        'cache-control': 'private, no-cache',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
    }
    stage.deps.clock.advance(7 * DAY_MS - MINUTE_MS)
    expect((await get(path)).status).toBe(200)
    stage.deps.clock.advance(MINUTE_MS)
    const ended = await get(path)
    expect(ended.status).toBe(404)
    expect(ended.text).toContain('This link does not work any more')
    expect(ended.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
  })

  it('answers HEAD, ranges and conditions as other files do', async () => {
    const path = await sendLink()
    const head = await reader.request('HEAD', path)
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(MAILED_CONTENT.length),
    ])
    const etag = String(head.headers.etag)
    expect((await get(path, { 'if-none-match': etag })).status).toBe(304)
    const part = await get(path, { range: 'bytes=0-2' })
    expect([part.status, part.text]).toEqual([206, 'sku'])
  })

  it('counts each download in the history of the retailer, and no HEAD', async () => {
    const path = await sendLink()
    await reader.request('HEAD', path)
    expect(await pulls()).toHaveLength(0)
    await get(path, { 'user-agent': 'curl/8.0' })
    await get(path)
    const counted = await pulls()
    expect(counted).toHaveLength(2)
    expect(counted).toContainEqual(
      expect.objectContaining({ fileName: 'inventory_1.csv', client: 'curl' }),
    )
  })

  it('is one’s own, and only its hash is stored', async () => {
    const path = await sendLink()
    const [ada, ben] = [pathsTo('ada')[0]!, pathsTo('ben')[0]!]
    expect(ada).toBe(path)
    expect(ada).not.toBe(ben)
    const token = ada.split('/')[2]!
    const stored = await links()
    expect(stored.map(({ tokenHash }) => tokenHash)).toContain(
      createHash('sha256').update(token).digest('hex'),
    )
    expect(JSON.stringify(stored)).not.toContain(token)
  })

  it('is the same in a mail that comes again', async () => {
    const path = await sendLink()
    await stage.deps.db.updateTable('fileMails').set({ status: 'begun' }).execute()
    const { dispatchId } = await stage.deps.db
      .selectFrom('fileMails')
      .select('dispatchId')
      .executeTakeFirstOrThrow()
    await stage.send(dispatchId, LARGE)
    expect(pathsTo('ada')).toEqual([path, path])
    expect(await links()).toHaveLength(3)
  })

  it.each([
    ['its destination is deleted', () => stage.deps.db.deleteFrom('destinations').execute()],
    ['its retailer is deleted', () => stage.deps.db.deleteFrom('retailers').execute()],
    [
      'its company is deactivated',
      () =>
        stage.deps.db
          .updateTable('users')
          .set({ isActive: false })
          .where('id', '=', stage.company.id)
          .execute(),
    ],
    [
      'its recipient is deactivated',
      () =>
        stage.deps.db
          .updateTable('users')
          .set({ isActive: false })
          .where('id', '=', stage.ada.id)
          .execute(),
    ],
    [
      'its recipient has left',
      () => stage.deps.db.deleteFrom('users').where('id', '=', stage.ada.id).execute(),
    ],
    [
      'its recipient is taken out of the destination',
      () =>
        stage.deps.db
          .updateTable('destinations')
          .set({ recipients: [stage.ben.id] })
          .execute(),
    ],
    ['its retailer sees fewer categories', () => see({ allProducts: false, categories: ['Hats'] })],
    ['its supplier hides a column', () => hide('qty')],
  ])('ends when %s', async (_when, change) => {
    const path = await sendLink()
    expect((await get(path)).status).toBe(200)
    await change()
    const { status, text } = await get(path)
    expect([status, text.includes('This link does not work any more')]).toEqual([404, true])
  })

  it('works on when its retailer sees more, or as much', async () => {
    const path = await sendLink()
    await see({ allProducts: true, categories: ['Hats'] })
    const { id } = await connection()
    const policy = columnPolicySchema.parse({ hidden: [], decimalMark: 'comma' })
    await saveColumnPolicy(stage.deps, stage.supplier, { id, policy })
    expect((await get(path)).status).toBe(200)
  })

  it('answers a wrong token as one that has ended, and leaves no trace of it in the log', async () => {
    const path = await sendLink()
    const wrong = path.replace(/.$/, (end) => (end === '0' ? '1' : '0'))
    stage.deps.clock.advance(7 * DAY_MS)
    const [ended, never] = [await get(path), await get(wrong)]
    expect(never.text).toBe(ended.text)
    for (const other of [`${path}/`, `${path}/x`, `/${path}`, `${path}/%zz`]) await get(other)
    expect(stage.log.lines().filter(({ msg }) => msg === 'Request')).toHaveLength(6)
    expect(stage.log.text()).not.toContain(path.split('/')[2])
    expect(stage.log.text()).not.toContain(wrong.split('/')[2])
  })

  it('is limited in how often it is read in a minute', async () => {
    stage.deps.limits.readsOfFileLink = { max: 2, windowMs: MINUTE_MS }
    const path = await sendLink()
    const statuses = [await get(path), await get(path), await get(path)].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await get(pathsTo('ben')[0]!)).status).toBe(200)
  })

  it('keeps its file from cleaning as long as it works, and no longer', async () => {
    const path = await sendLink()
    const { deps } = stage
    // It has arrived, and the version is not kept any more.
    await deps.db.updateTable('dispatches').set({ status: 'sent' }).execute()
    await deps.db.updateTable('connections').set({ publishedVersionId: null }).execute()
    await deps.db.deleteFrom('versions').execute()
    deps.clock.advance(DAY_MS)
    await cleanStorage(deps, new AbortController().signal)
    expect((await get(path)).text).toBe(MAILED_CONTENT)
    deps.clock.advance(7 * DAY_MS)
    expect(await inTransaction(deps.db, (trx) => deleteEndedFileLinks(trx, deps.clock.now()))).toBe(
      3,
    )
    await cleanStorage(deps, new AbortController().signal)
    expect(await listStoredFiles(deps)).toEqual([])
  })

  it('is not made where there is no room to keep its file, which is said', async () => {
    stage.deps.config.maxStoragePerSupplierBytes = MAX_ATTACHED_BYTES
    await expect(stage.send(await stage.putDispatch(), LARGE)).rejects.toThrow('there is no room')
    expect(stage.mails.received).toEqual([])
  })

  it('makes room for a newer file of the same retailer by ending the oldest', async () => {
    const path = await sendLink()
    await stage.deps.db
      .updateTable('fileLinks')
      .set({ sizeBytes: 15 * 1024 * 1024, sha256: 'older' })
      .execute()
    stage.deps.config.maxStoragePerSupplierBytes = 40 * 1024 * 1024
    stage.deps.clock.advance(MINUTE_MS)
    await stage.send(await stage.putDispatch(), LARGE)
    expect((await get(path)).status).toBe(404)
    expect(await links()).toHaveLength(3)
  })
})

describe('the link that ends files by mail', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
  const stopPath = (name: string) =>
    /^List-Unsubscribe: <https:\/\/stock\.example\.com(\S+)>/m.exec(
      stage.mailsTo(name).at(-1)!,
    )?.[1] ?? ''
  const post = (path: string) => reader.request('POST', path, 'List-Unsubscribe=One-Click', FORM)

  it('switches one recipient off with one click, and nobody when it is only opened', async () => {
    await stage.send(await stage.putDispatch())
    const path = stopPath('ben')
    const page = await get(path)
    expect([page.status, page.text.includes('No more files by e-mail?')]).toEqual([200, true])
    expect((await stage.readDestination()).recipients).toHaveLength(3)
    const { status, text } = await post(path)
    expect([status, text.includes('You get this file by e-mail no more')]).toEqual([200, true])
    expect((await post(path)).status).toBe(200)
    expect((await stage.readDestination()).recipients).toEqual([stage.ada.id, stage.cleo.id])
    const entries = await stage.deps.db
      .selectFrom('auditEntries')
      .selectAll()
      .where('noun', '=', 'destination')
      .execute()
    expect(entries.map(({ action, actorName }) => [action, actorName])).toEqual([
      ['destination.unsubscribe', 'ben'],
    ])
  })

  it('ends the links that its person has', async () => {
    const path = await sendLink('ben')
    await post(stopPath('ben'))
    expect((await get(path)).status).toBe(404)
    expect((await get(pathsTo('ada')[0]!)).status).toBe(200)
  })

  it.each([
    ['was changed', (path: string) => path.replace(/.$/, (end) => (end === '0' ? '1' : '0'))],
    [
      'names somebody else',
      (path: string) => path.replace(/\.(\d+)-/, (_all, id) => `.${Number(id) + 1}-`),
    ],
    ['names another destination', (path: string) => path.replace(/\/(\d+)\./, '/9999.')],
  ])('is refused when it %s', async (_how, change) => {
    await stage.send(await stage.putDispatch())
    const path = change(stopPath('ada'))
    expect([(await get(path)).status, (await post(path)).status]).toEqual([404, 404])
    expect((await stage.readDestination()).recipients).toHaveLength(3)
  })
})
