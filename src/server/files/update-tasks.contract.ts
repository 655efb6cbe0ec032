import { readdir, readFile } from 'node:fs/promises'

import { describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../shared/automatic-reading'
import { NO_ROLES, type ReaderStage } from '../testing/stages/reader-stage'
import type { FileTasks, UpdateBase, UpdateTask } from './file-readers'

const UPDATES: UpdateTask = {
  removal: { column: 'action', value: 'delete' },
  fullName: 'full-*',
  isFull: null,
  base: { whyNone: 'Nothing is published.' },
  knownSha256: null,
}
/** Rows of more than 4 KB, so that those between two others are not read with them. */
const ROWS = 160
const rowOf = (item: number, quantity: number) => `S${item},${'x'.repeat(5_000)},${quantity}\r\n`
const fileOf = (quantity: (item: number) => number) =>
  `sku,text,qty\r\n${Array.from({ length: ROWS }, (_, item) => rowOf(item, quantity(item))).join('')}`

/** The part of `file-readers.contract.ts` that is about files which have only what has changed. */
export function testUpdateTasks(stage: ReaderStage): void {
  const { path, ingestTask } = stage
  const { signal } = new AbortController()

  /** Ingests a file whose address ends with this name. */
  async function ingest(fileName: string, body: string, updates: UpdateTask, age: string) {
    stage.server.set(`/${fileName}`, { body })
    const { drafts, source, ...task } = ingestTask({ url: stage.server.url(`/${fileName}`) })
    const paths = Object.entries(drafts).map(([kind, file]) => [kind, `${file}-${age}`])
    const named = Object.fromEntries(paths) as typeof drafts
    const { fullName } = updates
    const given = { ...task, source: { ...source, fullName }, drafts: named, updates }
    const result = await stage.reader.run('ingest', given, { signal })
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

    it('that was read before is not merged again', async () => {
      const full = await ingest('full-1.csv', 'sku,qty\n1,1\n', UPDATES, 'full')
      const updates = { ...UPDATES, base: full.base }
      const merged = await ingest('u.csv', 'sku,action\n2,\n', updates, 'merged')
      const knownSha256 = merged.result.update?.sha256 ?? null
      const task = {
        ...ingestTask({ url: stage.server.url('/u.csv') }),
        updates: { ...updates, knownSha256 },
      }
      expect(await stage.reader.run('ingest', task, { signal })).toMatchObject({ kind: 'known' })
    })

    it('shows in a preview what it would do', async () => {
      const full = await ingest('full-1.csv', 'sku,qty\n1,1\n2,2\n3,3\n', UPDATES, 'full')
      const body = 'sku,qty,action\n1,1,\n2,,delete\n3,9,\n4,4,\n5,5,\n9,,delete\n'
      stage.server.set('/u.csv', { body })
      const task = {
        source: { type: 'URL', url: stage.server.url('/u.csv'), fullName: 'full-*' } as const,
        reading: AUTOMATIC_READING,
        draft: path('container'),
        updates: { ...UPDATES, base: full.base, roles: NO_ROLES },
      }
      const { preview } = await stage.reader.run('preview', task, { signal })
      const counts = { items: 6, changed: 1, added: 2, removed: 1 }
      expect(preview).toMatchObject({ rowsRead: 6, update: { isFull: false, counts } })
      expect(preview.problems.map(({ message }) => message)).toEqual([
        'Items that the update removes are not in the published file.',
      ])
      expect(await readdir(stage.directory)).not.toContain('container-update')
    })
  })
}
