import { readdir, readFile } from 'node:fs/promises'

import { describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../shared/automatic-reading'
import { NO_ROLES, type ReaderStage } from '../testing/stages/reader-stage'
import type { FileTasks, PublishedFile, UpdateBase, UpdateTask } from './file-readers'

const UPDATES: UpdateTask = {
  removal: { column: 'action', value: 'delete' },
  fullName: 'full-*',
  isFull: null,
  base: { whyNone: 'Nothing is published.' },
  knownSha256: null,
}
const PUBLISHED = {
  keyColumn: 'sku',
  keyQuantityColumn: 'qty',
  numbers: null,
  categoryReading: null,
  arePaths: false,
  gone: { list: null, tracksCategories: false, now: 1 },
}
/** Rows of more than 4 KB, so that those between two others are not read with them. */
const ROWS = 160
const rowOf = (item: number, quantity: number) => `S${item},${'x'.repeat(5_000)},${quantity}\r\n`
const fileOf = (quantity: (item: number) => number) =>
  `sku,text,qty\r\n${Array.from({ length: ROWS }, (_, item) => rowOf(item, quantity(item))).join('')}`

/** The part of `file-readers.contract.ts` that is about files which have only what has changed. */
export function testUpdateTasks(stage: ReaderStage): void {
  const { path, feed, ingestTask } = stage
  const { signal } = new AbortController()

  /** Ingests a file whose address ends with this name; `older`: what is published. */
  async function ingest(
    fileName: string,
    body: string,
    updates: UpdateTask,
    age: string,
    older?: Pick<PublishedFile, 'sha256' | 'paths'>,
  ) {
    stage.server.set(`/${fileName}`, { body })
    const { drafts, ...task } = ingestTask()
    const paths = Object.entries(drafts).map(([kind, file]) => [kind, `${file}-${age}`])
    const named = Object.fromEntries(paths) as typeof drafts
    const source = {
      ...feed({ url: stage.server.url(`/${fileName}`) }),
      fullName: updates.fullName,
    }
    const published = older && { ...PUBLISHED, ...older }
    const given = { ...task, drafts: named, updates, published }
    const result = await stage.reader.run('ingest', given, { source, signal })
    if (result.kind !== 'file' || !result.keys) throw new Error('There is no file with keys')
    const base = toBase(named, result)
    return { result, base, text: await readFile(base.file, 'utf8') }
  }

  function toBase(
    drafts: ReturnType<typeof ingestTask>['drafts'],
    { draft, keys }: FileTasks['ingest']['result'] & { kind: 'file' },
  ): UpdateBase {
    const file = drafts[draft]
    const keysBytes = keys?.content.sizeBytes ?? 0
    const columns = { keyColumn: 'sku', hasHeader: true, categoryColumn: null }
    return { file, keys: drafts.keys, keysBytes, ...columns }
  }

  describe('an update', () => {
    it('is merged onto a file that is full by its name, wherever its rows are', async () => {
      const full = await ingest(
        'full-1.csv',
        fileOf(() => 1),
        UPDATES,
        'full',
      )
      expect(full.text).toBe(fileOf(() => 1))
      expect(full.result.update?.counts).toBeNull()
      const changed = Array.from({ length: ROWS / 2 }, (_, item) => `S${2 * item},${2 * item},\n`)
      const update = `sku,qty,action\n${changed.toReversed().join('')}`
      const merged = await ingest('u.csv', update, { ...UPDATES, base: full.base }, 'merged')
      expect(merged.text).toBe(fileOf((item) => (item % 2 === 0 ? item : 1)))
      const counts = { items: ROWS / 2, changed: ROWS / 2, added: 0, removed: 0 }
      expect(merged.result.update?.counts).toEqual(counts)
      const left = (await readdir(stage.directory)).filter((name) => name.includes('-update'))
      expect(left).toEqual([])
    })

    it('is compared with the published file once it is merged', async () => {
      const full = await ingest('full-1.csv', 'sku,qty\n1,1\n2,2\n3,3\n', UPDATES, 'full')
      const { content } = full.result
      const update = 'sku,qty,action\n1,,delete\n2,0,\n4,4,\n'
      const updates = { ...UPDATES, base: full.base }
      const older = { sha256: content.sha256, paths: full.base }
      const { result } = await ingest('u.csv', update, updates, 'merged', older)
      expect(result.changes).toMatchObject({
        difference: { before: 3, added: 1, removed: 1, changed: 1, unchanged: 1, newlyZero: 1 },
        gone: { kind: 'written', count: 1 },
      })
      const nothing = await ingest('u.csv', 'sku,action\n9,delete\n', updates, 'same', older)
      const same = { difference: null, gone: { kind: 'kept', failure: null } }
      expect(nothing.result.changes).toEqual(same)
    })

    it('that was read before is not merged again', async () => {
      const full = await ingest('full-1.csv', 'sku,qty\n1,1\n', UPDATES, 'full')
      const updates = { ...UPDATES, base: full.base }
      const merged = await ingest('u.csv', 'sku,action\n2,\n', updates, 'merged')
      const knownSha256 = merged.result.update?.sha256 ?? null
      const task = { ...ingestTask(), updates: { ...updates, knownSha256 } }
      const options = { source: feed({ url: stage.server.url('/u.csv') }), signal }
      expect(await stage.reader.run('ingest', task, options)).toMatchObject({ kind: 'known' })
    })

    it('shows in a preview what it would do', async () => {
      const full = await ingest('full-1.csv', 'sku,qty\n1,1\n2,2\n3,3\n', UPDATES, 'full')
      const body = 'sku,qty,action\n1,1,\n2,,delete\n3,9,\n4,4,\n5,5,\n9,,delete\n'
      stage.server.set('/u.csv', { body })
      const source = { ...feed({ url: stage.server.url('/u.csv') }), fullName: 'full-*' }
      const task = {
        reading: AUTOMATIC_READING,
        draft: path('container'),
        updates: { ...UPDATES, base: full.base, roles: NO_ROLES },
      }
      const { preview } = await stage.reader.run('preview', task, { source, signal })
      const counts = { items: 6, changed: 1, added: 2, removed: 1 }
      expect(preview).toMatchObject({ rowsRead: 6, update: { isFull: false, counts } })
      expect(preview.problems.map(({ message }) => message)).toEqual([
        'Items that the update removes are not in the published file.',
      ])
      expect(await readdir(stage.directory)).not.toContain('container-update')
    })

    it('tells in a preview that rows say they are removed, which it does not do', async () => {
      const keeping = { ...UPDATES, removal: null }
      const full = await ingest('full-1.csv', 'sku,qty\n1,1\n2,2\n', keeping, 'full')
      stage.server.set('/u.csv', { body: 'sku,qty,action\n1,1,\n2,2,delete\n' })
      const source = { ...feed({ url: stage.server.url('/u.csv') }), fullName: 'full-*' }
      const task = {
        reading: AUTOMATIC_READING,
        draft: path('container'),
        updates: { ...keeping, base: full.base, roles: NO_ROLES },
      }
      const { preview } = await stage.reader.run('preview', task, { source, signal })
      expect(preview.problems[0]).toMatchObject({
        count: 1,
        message: 'Rows say in “action” that they are removed (“delete”); they were kept as items.',
      })
    })
  })
}
