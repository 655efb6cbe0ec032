import { readFile, writeFile } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { expect, it } from 'vitest'

import { columnPolicySchema } from '../../shared/schemas/column-policy'
import { shopFormatSchema } from '../../shared/schemas/shop-format'
import { NAMING } from '../testing/fixtures/key-files'
import { CSV, NO_ROLES, type ReaderStage, sha256 } from '../testing/stages/reader-stage'
import type { HistoryFile } from './file-readers'
import { filterOne } from './filter-one'

/** The part of `file-readers.contract.ts` that is about files which are stored already. */
export function testStoredFileTasks(stage: ReaderStage): void {
  const { path, feed, ingestTask } = stage
  const { signal } = new AbortController()

  /** Ingests a file, and returns where it is with its keys, and what is known of these. */
  async function store(name: string, body: string) {
    stage.server.set('/feed.csv', { body })
    const { drafts, ...task } = ingestTask()
    const paths = Object.entries(drafts).map(([kind, file]) => [kind, `${file}-${name}`])
    const named = Object.fromEntries(paths) as typeof drafts
    const options = { source: feed(), signal }
    const result = await stage.reader.run('ingest', { ...task, drafts: named }, options)
    if (result.kind !== 'file' || !result.keys) throw new Error('There is no key file')
    const { content, ...facts } = result.keys
    expect(sha256(await readFile(named.keys))).toBe(content.sha256)
    const keyed = { file: named[result.draft], keys: named.keys, keysBytes: content.sizeBytes }
    return { keyed, facts }
  }

  it('writes key files, and compares files by them', async () => {
    const { keyed: older } = await store('older', 'sku,qty\n1,1\n2,2\n3,3\n')
    const { keyed: newer, facts } = await store('newer', 'sku;qty\n4;4\n3;3\n2;0\n')
    const counts = { keyCount: 3, repeatedRows: 0, keylessRows: 0 }
    expect(facts).toEqual({ column: 'sku', quantityColumn: 'qty', ...counts })
    const task = { older, newer, keyColumn: 'sku', hasQuantities: true, naming: NAMING }
    const found = await stage.reader.run('comparison', task, { signal })
    const { difference, columns } = found
    expect(difference).toMatchObject({ added: 1, removed: 1, changed: 1, unchanged: 1 })
    expect(difference.examples).toContainEqual({ kind: 'zero', key: '2', before: 2, after: 0 })
    expect(columns).toMatchObject({ changed: [{ name: 'qty', rows: 1 }], comparedRows: 1 })

    const choice = { older, newer, keyColumn: 'sku', naming: NAMING, filter: { q: '' } }
    const listing = { ...choice, draft: path('changes') }
    const listed = await stage.reader.run('comparisonList', listing, { signal })
    expect(listed).toMatchObject({ rowCount: 3 })
    const lines = ['4,added,,4', '2,changed,2,0', '1,removed,1,']
    expect((await readFile(path('changes'), 'utf8')).split('\r\n')).toEqual([
      '\uFEFFsku,change,qty before,qty after',
      ...lines,
      '',
    ])

    const page = { ...choice, from: 0, maxItems: 2, maxBytes: 1_000 }
    expect(await stage.reader.run('changedItems', page, { signal })).toMatchObject({
      items: [
        { key: '4', kinds: ['added'] },
        { key: '2', kinds: ['quantity'] },
      ],
      nextCursor: 2,
    })

    const options = { keyColumn: 'sku', roles: NO_ROLES, categoryReading: null, now: 1 }
    const toGone = (gone: string | null, draft: string) => ({
      ...options,
      older: { ...older, gone },
      newer: { ...newer, rows: null },
      draft: path(draft),
    })
    const first = await stage.reader.run('goneItems', toGone(null, 'gone'), { signal })
    expect(first).toMatchObject({ count: 1, dropped: 0 })
    expect(await readFile(path('gone'), 'utf8')).toBe(
      'key,category,barcode,left_at,separators\n1,,,1,\n',
    )
    const again = { ...toGone(path('gone'), 'none'), older: { ...newer, gone: path('gone') } }
    expect(await stage.reader.run('goneItems', again, { signal })).toMatchObject({ count: 1 })
    const rows = { file: newer.file, categoryReading: null }
    const moved = { ...toGone(path('gone'), 'moved'), newer: { ...newer, rows } }
    expect(await stage.reader.run('goneItems', moved, { signal })).toMatchObject({ count: 1 })
    const same = { ...toGone(null, 'none'), older: { ...newer, gone: null } }
    expect(await stage.reader.run('goneItems', same, { signal })).toMatchObject({ content: null })
    const format = {
      policy: columnPolicySchema.parse({}),
      profile: shopFormatSchema.parse({ kind: 'stock' }),
      quantityColumn: null,
      form: 'csv' as const,
    }
    const selection = { categoryReading: null, categories: null, format }
    const gone = { keyColumn: 'sku', file: path('gone') }
    const filter = { file: newer.file, draft: path('stock'), ...selection, gone }
    expect(await filterOne(stage.reader, filter, { signal })).toMatchObject({ rowCount: 4 })
    expect(await readFile(path('stock'), 'utf8')).toBe('sku,quantity\n4,4\n3,3\n2,0\n1,0\n')
  })

  it('lists what differs between files, wherever the rows are that do', async () => {
    const rows = 160
    // Those between two that differ are too long to be read with them.
    const toRow = (row: number, quantity: number) =>
      `S${row},${'x'.repeat(5_000)},${row % 2 === 0 ? quantity : 1}\n`
    const toFile = (quantity: number) =>
      `sku,text,qty\n${Array.from({ length: rows }, (_, row) => toRow(row, quantity)).join('')}`
    const { keyed: older } = await store('older', toFile(2))
    const { keyed: newer } = await store('newer', toFile(3))
    const choice = { naming: NAMING, filter: { q: '' }, draft: path('changes') }
    const task = { older, newer, keyColumn: 'sku', ...choice }
    const listed = await stage.reader.run('comparisonList', task, { signal })
    expect(listed.rowCount).toBe(rows / 2)
  })

  it('browses the rows of a stored file from a place in it', async () => {
    await writeFile(path('stored'), CSV)
    const columns = ['sku', 'category']
    const bounds = { maxRows: 1, maxBytes: 1_000 }
    const search = {
      file: path('stored'),
      delimiter: ',',
      columns,
      query: '',
      ...bounds,
    } as const
    const first = { from: { offset: 0, row: 0 }, ...search }
    const { rows, end, hasMore } = await stage.reader.run('browse', first, { signal })
    expect(rows).toEqual([{ number: 1, cells: ['1', 'Boots'] }])
    expect(hasMore).toBe(true)
    expect(await stage.reader.run('browse', { ...search, from: end }, { signal })).toMatchObject({
      rows: [{ number: 2, cells: ['2', 'Hats'] }],
      hasMore: false,
    })
  })

  it('writes only the rows of the chosen categories', async () => {
    await writeFile(path('stored'), CSV)
    const categoryReading = { column: 'category', pathSeparator: null, listSeparator: null }
    const task = {
      file: path('stored'),
      draft: path('draft'),
      categoryReading,
      categories: ['boots'],
      format: null,
    }
    const result = await filterOne(stage.reader, task, { signal })
    expect(result).toMatchObject({ rowCount: 1, headRows: [['1', 'Boots']] })
    const written = await readFile(path('draft'), 'utf8')
    expect(written).toBe('sku,category\r\n1,Boots\r\n')
    expect(result.content).toEqual({ sha256: sha256(written), sizeBytes: written.length })
  })

  it('writes several files of one, each as if it were written alone, and says which it cannot', async () => {
    const header = 'sku,category,quantity\n'
    const rows = Array.from({ length: 30_000 }, (_, row) => `S${row},C${row % 3},${row % 7}\n`)
    await writeFile(path('stored'), header + rows.join(''))
    const categoryReading = { column: 'category', pathSeparator: null, listSeparator: null }
    const whole = { categories: null, format: null }
    const profile = shopFormatSchema.parse({ kind: 'stock' })
    const policy = columnPolicySchema.parse({})
    const stock = { policy, profile, quantityColumn: 'quantity', form: 'csv' as const }
    const missing = shopFormatSchema.parse({
      kind: 'own',
      columns: [{ column: 'no', header: 'x' }],
    })
    const views = [
      ...['c0', 'c1', 'none'].map((name) => ({ ...whole, categories: [name] })),
      { ...whole, format: { ...stock, profile: missing } },
      whole,
      { ...whole, format: stock },
      { ...whole, categories: ['c2'], format: { ...stock, form: 'json' as const } },
    ]
    const read = { file: path('stored'), categoryReading }
    const drafted = views.map((view, place) => ({ ...view, draft: path(`together-${place}`) }))
    const { files } = await stage.reader.run('filter', { ...read, views: drafted }, { signal })
    for (const [place, view] of views.entries()) {
      const alone = { ...read, views: [{ ...view, draft: path('alone') }] }
      expect((await stage.reader.run('filter', alone, { signal })).files).toEqual([files[place]])
      if (files[place]?.kind === 'refused') continue
      const written = await readFile(path(`together-${place}`))
      expect(written).toEqual(await readFile(path('alone')))
      expect(files[place]?.content).toEqual({ sha256: sha256(written), sizeBytes: written.length })
    }
    expect(files.map(({ kind }) => kind)).toEqual([
      ...Array<string>(3).fill('written'),
      'refused',
      ...Array<string>(3).fill('written'),
    ])
    expect(files[3]).toMatchObject({ code: 'missing-column' })
  })

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)(
    'writes a copy of a stored file that is compressed with %s',
    async (coding, decompress) => {
      await writeFile(path('stored'), CSV.repeat(1_000))
      const task = { file: path('stored'), draft: path('draft'), coding }
      const { content } = await stage.reader.run('compress', task, { signal })
      const written = await readFile(path('draft'))
      expect(decompress(written).toString()).toBe(CSV.repeat(1_000))
      expect(content).toEqual({ sha256: sha256(written), sizeBytes: written.length })
    },
  )

  it('passes on the code of a file system error', async () => {
    const gone = {
      file: path('gone'),
      draft: path('draft'),
      categoryReading: null,
      categories: [],
      format: null,
    }
    await expect(filterOne(stage.reader, gone, { signal })).rejects.toMatchObject({
      code: 'ENOENT',
    })
    stage.server.set('/feed.csv', { body: CSV })
    const nowhere = { source: path('no/folder'), rewritten: path('no/folder') }
    const task = { ...ingestTask(), drafts: { ...ingestTask().drafts, ...nowhere } }
    await expect(
      stage.reader.run('ingest', task, { source: feed(), signal }),
    ).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })

  it('writes the history of items, folds and joins it', async () => {
    const { keyed: older } = await store('before', 'sku,qty,price\n1,1,1.50\n2,2,2.50\n')
    const { keyed: newer } = await store('after', 'sku,qty,price\n2,0,2.50\n3,3,3.50\n')
    const columns = {
      keyColumn: 'sku',
      quantityColumn: 'qty',
      quantityStyle: 'decimals' as const,
      stockTexts: [],
      roles: NO_ROLES,
      arePaths: false,
      categoryReading: null,
      priceMark: null,
    }
    const write = (file: string, time: number, draft: string, state: HistoryFile | null) => {
      const task = { file, state, changes: [], time, columns, draft: path(draft) }
      return stage.reader.run('historyChanges', task, { signal })
    }
    const first = await write(older.file, 5, 'state', null)
    expect(first.found).toMatchObject({ records: 2, itemCount: 2, priceColumn: 'price', last: 5 })
    const state = { path: path('state'), records: 2 }
    const second = await write(newer.file, 9, 'changed', state)
    expect(second.found).toMatchObject({ records: 3, itemCount: 2, first: 9, last: 9 })
    expect(sha256(await readFile(path('changed')))).toBe(second.found?.content.sha256)
    const changes = [{ path: path('changed'), records: 3 }]
    const drafts = { state: path('folded'), past: path('past') }
    const fold = { state, changes, drafts, forgetBefore: 0 }
    const folded = await stage.reader.run('historyFold', fold, { signal })
    expect(folded).toMatchObject({ state: { records: 3, first: 5, last: 9 }, past: { records: 3 } })
    const forgotten = { ...fold, forgetBefore: 10 }
    expect(await stage.reader.run('historyFold', forgotten, { signal })).toMatchObject({
      state: { records: 2 },
    })
    const join = { parts: [...changes, ...changes], thinBefore: 100, draft: path('joined') }
    expect(await stage.reader.run('historyJoin', join, { signal })).toMatchObject({ records: 3 })
    const keyless = { ...columns, keyColumn: 'gtin' }
    const none = { file: older.file, state: null, changes: [], time: 1, columns: keyless }
    const task = { ...none, draft: path('none') }
    expect(await stage.reader.run('historyChanges', task, { signal })).toEqual({ found: null })
  })

  it('writes parts, merges them, and reads matching files', async () => {
    await writeFile(path('north'), 'sku,ean,qty,price\r\nN1,4006381333931,2,1.50\r\nN2,,5,2.50\r\n')
    await writeFile(path('south'), 'sku,ean,qty\r\nS1,4006381333931,3\r\nS2,,7\r\n')
    await writeFile(
      path('matches'),
      'prefix,supplier_sku,gtin,sku\r\nN-,N2,,mine\r\nS-,S2,,mine\r\n',
    )
    const counts = await stage.reader.run('matching', { file: path('matches') }, { signal })
    expect(counts).toEqual({ used: 2, unusable: 0, repeated: 0 })
    const write = async (name: string, prefix: string) => {
      const { content, ...facts } = await stage.reader.run(
        'partFile',
        {
          file: path(name),
          draft: path(`${name}-part`),
          seen: { categoryReading: null, categories: null, format: null },
          matching: path('matches'),
          roles: NO_ROLES,
          quantityColumn: 'qty',
          arePaths: false,
          costColumn: null,
          stockTexts: [],
          decimalMark: null,
          numbers: null,
          stock: { buffer: 0, cutOff: 0, cap: null },
          prefix,
        },
        { signal },
      )
      expect(sha256(await readFile(path(`${name}-part`)))).toBe(content.sha256)
      expect(facts).toEqual({ rowCount: 2, byGtin: 1, byMatching: 1, problems: [] })
      const terms = { supplier: name, prefix, currency: 'EUR', isStale: false }
      return { file: path(`${name}-part`), sizeBytes: content.sizeBytes, ...terms }
    }
    const parts = [await write('north', 'N-'), await write('south', 'S-')]
    const drafts = { rows: path('merged'), keys: path('merged-keys'), unmatched: path('unmatched') }
    const task = { parts, drafts, quantity: 'sum' as const, priceRules: null }
    const merged = await stage.reader.run('mergedFile', task, { signal })
    expect(merged).toMatchObject({ rowCount: 2, sharedCount: 2, unmatchedCount: 0, problems: [] })
    const written = await readFile(drafts.rows, 'utf8')
    expect(merged.content).toEqual({ sha256: sha256(written), sizeBytes: written.length })
    const [names, ...rows] = written.trim().split('\r\n')
    expect(names).toBe('sku,barcode,quantity,price,currency,supplier,supplier_sku')
    expect(rows.toSorted()).toEqual([
      '04006381333931,4006381333931,5,1.50,EUR,north,N1',
      'mine,,12,2.50,EUR,north,N2',
    ])
    for (const [draft, { sha256: hash }] of [
      [drafts.keys, merged.keys],
      [drafts.unmatched, merged.unmatched],
    ] as const) {
      expect(sha256(await readFile(draft))).toBe(hash)
    }
    const cut = { ...task, parts: [{ ...parts[0]!, sizeBytes: parts[0]!.sizeBytes + 1 }] }
    await expect(stage.reader.run('mergedFile', cut, { signal })).rejects.toThrow('shorter')
  })
}
