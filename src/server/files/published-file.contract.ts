import { readFile, readdir } from 'node:fs/promises'

import { expect, it } from 'vitest'

import { type ReaderStage, sha256 } from '../testing/stages/reader-stage'
import type { PublishedFile } from './file-readers'

const { signal } = new AbortController()
const REMEMBERED = { list: null, tracksCategories: false, now: 1 }

/** The part of `file-readers.contract.ts` that is about a file which takes the place of another one. */
export function testPublishedFiles(stage: ReaderStage): void {
  const { path, feed, ingestTask } = stage

  /** Reads a file, and leaves its scratch files under names of their own. */
  async function ingest(body: string, name: string, published?: PublishedFile) {
    stage.server.set('/feed.csv', { body })
    const { drafts, ...task } = ingestTask()
    const named = Object.entries(drafts).map(([kind, file]) => [kind, `${file}-${name}`])
    const own = Object.fromEntries(named) as typeof drafts
    const options = { source: feed(), signal }
    const result = await stage.reader.run('ingest', { ...task, drafts: own, published }, options)
    if (result.kind !== 'file') throw new Error('The source is unchanged')
    const { content, keys, changes, report } = result
    const file = {
      sha256: content.sha256,
      keyColumn: keys?.column ?? null,
      keyQuantityColumn: keys?.quantityColumn ?? null,
      numbers: report.numbers,
      categoryReading: report.categoryReading,
      arePaths: false,
      paths: keys && {
        file: own[result.draft],
        keys: own.keys,
        keysBytes: keys.content.sizeBytes,
      },
      gone: REMEMBERED,
    }
    return { changes, file, gonePath: own.gone }
  }

  it('compares a file with the published one, and lists the items that leave with it', async () => {
    const { file: published } = await ingest('sku,qty\n1,1\n2,2\n3,3\n', 'older')
    // Also one that has to be rewritten.
    const { changes, gonePath } = await ingest('sku;qty\n4;4\n3;3\n2;0\n', 'newer', published)
    expect(changes?.difference).toMatchObject({
      keyColumn: 'sku',
      added: 1,
      removed: 1,
      changed: 1,
      unchanged: 1,
      newlyZero: 1,
    })
    expect(changes?.difference?.examples).toEqual(
      expect.arrayContaining([
        { kind: 'removed', key: '1', before: 1, after: null },
        { kind: 'zero', key: '2', before: 2, after: 0 },
      ]),
    )
    const list = await readFile(gonePath, 'utf8')
    expect(list).toBe('key,category,barcode,left_at,separators\n1,,,1,\n')
    expect(changes?.gone).toEqual({
      kind: 'written',
      content: { sha256: sha256(list), sizeBytes: list.length },
      count: 1,
      dropped: 0,
    })
  })

  it('compares files that do not fit into one message', async () => {
    const rows = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, row) => `${from + row},${'x'.repeat(50)}\n`).join('')
    const { file: published } = await ingest(`sku,name\n${rows(0, 15_000)}`, 'older')
    const newer = await ingest(`sku,name\n${rows(1_000, 16_000)}`, 'newer', published)
    expect(newer.changes).toMatchObject({
      difference: { before: 15_000, added: 1_000, removed: 1_000, unchanged: 14_000 },
      gone: { kind: 'written', count: 1_000 },
    })
  })

  it('counts as gone what was before, and what is in another category', async () => {
    const older = await ingest('sku,category\n1,A\n2,B\n', 'older')
    const { gonePath: list, file } = await ingest('sku,category\n2,B\n', 'newer', older.file)
    const known = (gone: object) => ({ ...file, gone: { ...REMEMBERED, ...gone } })
    const goneAfter = async (gone: object) => {
      const { changes } = await ingest('sku,category\n2,A\n', 'newest', known(gone))
      return changes?.gone
    }
    expect(await goneAfter({})).toEqual({ kind: 'none' })
    expect(await goneAfter({ list })).toMatchObject({ kind: 'written', count: 1 })
    expect(await goneAfter({ list, tracksCategories: true })).toMatchObject({ count: 2 })
  })

  it('keeps the list of gone items for the same content, and when it cannot be written', async () => {
    const older = await ingest('sku,qty\n1,1\n2,2\n', 'older')
    const same = await ingest('sku,qty\n1,1\n2,2\n', 'newer', older.file)
    expect(same.changes).toEqual({ difference: null, gone: { kind: 'kept', failure: null } })
    const lost = { ...older.file, gone: { ...REMEMBERED, list: path('lost') } }
    const { changes } = await ingest('sku,qty\n1,1\n2,3\n', 'newer', lost)
    expect(changes).toMatchObject({
      difference: { changed: 1 },
      gone: { kind: 'kept', failure: expect.stringContaining('ENOENT') },
    })
    expect(await readdir(stage.directory)).not.toContain('gone-items-newer')
  })

  it('forgets the gone items of a file whose items cannot be compared', async () => {
    const older = await ingest('sku,qty\n1,1\n2,2\n', 'older')
    for (const body of ['name,colour\na,b\n', 'product code,qty\n1,1\n']) {
      const { changes } = await ingest(body, 'newer', older.file)
      expect(changes).toEqual({ difference: null, gone: { kind: 'none' } })
    }
  })

  it('fails where the published file is lost', async () => {
    const { file } = await ingest('sku,qty\n1,1\n2,2\n', 'older')
    const paths = { ...file.paths!, keys: path('lost') }
    await expect(ingest('sku,qty\n1,1\n', 'newer', { ...file, paths })).rejects.toThrow('ENOENT')
  })
}
