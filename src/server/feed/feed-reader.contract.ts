import { createHash } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import iconv from 'iconv-lite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../shared/automatic-reading'
import { columnPolicySchema } from '../../shared/schemas/column-policy'
import { fileProfileSchema } from '../../shared/schemas/file-profile'
import { type FeedServer, startFeedServer } from '../testing/feed-server'
import { setSlowFeed } from '../testing/slow-feed'
import type { FeedReader, IngestTask, TaskProgress } from './feed-reader'
import type { HostGate } from './fetch/host-gate'

type Reach = { allow: string[]; maxBytes: number; filesDir: string; draftsDir: string }

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const NO_ROLES = { sku: null, quantity: null, barcode: null, price: null }
const CSV = 'sku,category\r\n1,Boots\r\n2,Hats\r\n'

/** Tests that every feed reader passes. @param open makes a reader that may access only `Reach` */
export function describeFeedReader(name: string, open: (reach: Reach) => FeedReader): void {
  describe(name, () => {
    let server: FeedServer
    let directory: string
    let reader: FeedReader
    const { signal } = new AbortController()
    const path = (file: string) => join(directory, file)

    // Shared by all tests: a process takes a while to start, and tasks do not change its state.
    beforeAll(async () => {
      server = await startFeedServer()
      directory = await mkdtemp(join(tmpdir(), 'stockbridge-reader-'))
      const maxBytes = 1024 * 1024
      reader = open({ allow: [server.host], maxBytes, filesDir: directory, draftsDir: directory })
    })
    afterAll(async () => {
      await reader.close()
      await server.close()
      await rm(directory, { recursive: true })
    })
    afterEach(async () => {
      for (const file of await readdir(directory)) await rm(path(file))
      server.requests.length = 0
    })

    function ingestTask(source: Partial<IngestTask['source']> = {}): IngestTask {
      return {
        source: { type: 'URL', url: server.url('/feed.csv'), ...source },
        drafts: {
          source: path('source'),
          rewritten: path('rewritten'),
          keys: path('keys'),
          keyRuns: path('keyRuns'),
        },
        keys: { roles: NO_ROLES, stockTexts: [] },
        categoryReading: null,
        reading: AUTOMATIC_READING,
        previousEncoding: null,
      }
    }

    it('passes a canonical source through unchanged, and reports its content', async () => {
      server.set('/feed.csv', { body: CSV, etag: '"one"', headers: { 'content-type': 'text/csv' } })
      const result = await reader.run('ingest', ingestTask(), { signal })
      expect(result).toMatchObject({
        kind: 'file',
        draft: 'source',
        content: { sha256: sha256(CSV), sizeBytes: CSV.length },
        etag: '"one"',
        mediaType: 'text/csv',
        report: { rowCount: 2, columns: ['sku', 'category'], isRewritten: false },
      })
      expect(await readFile(path('source'), 'utf8')).toBe(CSV)
    })

    it('enters the gate of each host before a request, and leaves it afterwards', async () => {
      const seen: string[] = []
      const hosts: HostGate = {
        async enter(host) {
          seen.push(`enter ${host}`)
          return () => void seen.push(`leave ${host}`)
        },
      }
      server.set('/old.csv', { status: 302, headers: { location: server.url('/feed.csv') } })
      server.set('/feed.csv', { body: CSV })
      const task = ingestTask({ url: server.url('/old.csv') })
      await reader.run('ingest', task, { signal, hosts })
      expect(seen).toEqual([`enter ${server.host}`, `leave ${server.host}`])
    })

    it('waits at the gate of a host until the task is aborted', async () => {
      const hosts: HostGate = {
        enter: (_host, waiting) =>
          new Promise((_resolve, reject) => {
            waiting.addEventListener('abort', () => reject(waiting.reason as Error))
          }),
      }
      server.set('/feed.csv', { body: CSV })
      const stopping = new AbortController()
      const working = reader.run('ingest', ingestTask(), { signal: stopping.signal, hosts })
      stopping.abort(new Error('No longer needed'))
      await expect(working).rejects.toThrow('No longer needed')
      expect(server.requests).toEqual([])
    })

    it('reports when the source has been received completely', async () => {
      server.set('/feed.csv', { body: CSV })
      const reported: TaskProgress[] = []
      const onProgress = (progress: TaskProgress) => void reported.push(progress)
      await reader.run('ingest', ingestTask(), { signal, onProgress })
      expect(reported.at(-1)).toMatchObject({ bytes: CSV.length, isReceived: true })
    })

    it('guesses the charset of a source, and names it', async () => {
      const rows = Array.from({ length: 5_000 }, (_, index) => `${index},Čepice,Žlutý svetr,Šála\n`)
      const text = `sku,a,b,c\n${rows.join('')}`
      server.set('/feed.csv', { body: iconv.encode(text, 'windows-1250') })
      const result = await reader.run('ingest', ingestTask(), { signal })
      expect(result).toMatchObject({
        report: {
          dialect: { encoding: 'windows-1250' },
          problems: [{ message: expect.stringContaining('Read as Windows-1250: check that Ž') }],
        },
      })
      expect(await readFile(path('rewritten'), 'utf8')).toBe(text.replaceAll('\n', '\r\n'))
    })

    it('rewrites a source that is not canonical', async () => {
      server.set('/feed.csv', { body: 'sku;name\n1;Caf\u00E9\n2;"a;b"\n' })
      const result = await reader.run('ingest', ingestTask(), { signal })
      expect(result).toMatchObject({ draft: 'rewritten', report: { isRewritten: true } })
      expect(await readFile(path('rewritten'), 'utf8')).toBe('sku,name\r\n1,Caf\u00E9\r\n2,a;b\r\n')
      expect(await readdir(directory)).toEqual(['keys', 'rewritten'])
    })

    it('writes key files, and compares files by them', async () => {
      const files = []
      for (const [age, body] of [
        ['older', 'sku,qty\n1,1\n2,2\n3,3\n'],
        ['newer', 'sku;qty\n4;4\n3;3\n2;0\n'],
      ] as const) {
        server.set('/feed.csv', { body })
        const { drafts, ...task } = ingestTask()
        const paths = Object.entries(drafts).map(([kind, file]) => [kind, `${file}-${age}`])
        const named = Object.fromEntries(paths) as typeof drafts
        const result = await reader.run('ingest', { ...task, drafts: named }, { signal })
        if (result.kind !== 'file' || !result.keys) throw new Error('There is no key file')
        const { content, ...facts } = result.keys
        const counts = { keyCount: 3, repeatedRows: 0, keylessRows: 0 }
        expect(facts).toEqual({ column: 'sku', quantityColumn: 'qty', ...counts })
        expect(sha256(await readFile(named.keys))).toBe(content.sha256)
        files.push({ file: named[result.draft], keys: named.keys, keysBytes: content.sizeBytes })
      }
      const [older, newer] = files
      if (!older || !newer) throw new Error('There are no files')
      const task = { older, newer, keyColumn: 'sku', hasQuantities: true, comparesColumns: true }
      const found = await reader.run('difference', task, { signal })
      const { difference, columns } = found
      expect(difference).toMatchObject({ added: 1, removed: 1, changed: 1, unchanged: 1 })
      expect(difference.examples).toContainEqual({ kind: 'zero', key: '2', before: 2, after: 0 })
      expect(columns).toMatchObject({ changed: [{ name: 'qty', rows: 1 }], comparedRows: 1 })

      const listing = { older, newer, keyColumn: 'sku', draft: path('changes') }
      const listed = await reader.run('changes', listing, { signal })
      expect(listed).toMatchObject({ rowCount: 3 })
      const lines = ['4,added,,4', '2,changed,2,0', '1,removed,1,']
      expect((await readFile(path('changes'), 'utf8')).split('\r\n')).toEqual([
        '\uFEFFsku,change,qty before,qty after',
        ...lines,
        '',
      ])

      const options = { keyColumn: 'sku', roles: NO_ROLES, categoryReading: null, now: 1 }
      const toGone = (gone: string | null, draft: string) => ({
        ...options,
        older: { ...older, gone },
        newer,
        draft: path(draft),
      })
      const first = await reader.run('goneItems', toGone(null, 'gone'), { signal })
      expect(first).toMatchObject({ count: 1, dropped: 0 })
      expect(await readFile(path('gone'), 'utf8')).toBe('key,category,barcode,left_at\n1,,,1\n')
      const again = { ...toGone(path('gone'), 'none'), older: { ...newer, gone: path('gone') } }
      expect(await reader.run('goneItems', again, { signal })).toMatchObject({ count: 1 })
      const same = { ...toGone(null, 'none'), older: { ...newer, gone: null } }
      expect(await reader.run('goneItems', same, { signal })).toMatchObject({ content: null })
      const format = {
        policy: columnPolicySchema.parse({}),
        profile: fileProfileSchema.parse({ kind: 'stock' }),
        quantityColumn: null,
        isNdjson: false,
      }
      const selection = { categoryReading: null, categories: null, format }
      const gone = { keyColumn: 'sku', file: path('gone') }
      const filter = { file: newer.file, draft: path('stock'), ...selection, gone }
      expect(await reader.run('filter', filter, { signal })).toMatchObject({ rowCount: 4 })
      expect(await readFile(path('stock'), 'utf8')).toBe('sku,quantity\n4,4\n3,3\n2,0\n1,0\n')
    })

    it('reports more category counts than one message holds', async () => {
      const rows = Array.from({ length: 3_000 }, (_, row) => `${row},Kind ${row % 1_234}`)
      server.set('/feed.csv', { body: `sku,category\r\n${rows.join('\r\n')}\r\n` })
      const result = await reader.run('ingest', ingestTask(), { signal })
      const counts = result.kind === 'file' ? result.report.categoryCounts : []
      expect(counts).toHaveLength(1_234)
      expect(counts.reduce((sum, { rows: some }) => sum + some, 0)).toBe(3_000)
    })

    it('sends credentials and validators, and reports an unchanged source', async () => {
      server.set('/feed.csv', { body: CSV, etag: '"one"' })
      const credentials = { name: 'Authorization', value: 'Bearer token' }
      const task = ingestTask({ etag: '"one"', credentials })
      expect(await reader.run('ingest', task, { signal })).toEqual({ kind: 'unchanged' })
      expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer token' })
      expect(await readdir(directory)).toEqual([])
    })

    it('rejects with a FeedError for an unusable source, and leaves no scratch file', async () => {
      server.set('/feed.csv', { body: 'sku,name\r\n1,2,3\r\n' })
      await expect(reader.run('ingest', ingestTask(), { signal })).rejects.toMatchObject({
        name: 'FeedError',
        code: 'ragged-row',
        line: 2,
        message: 'Line 2 has 3 cells, but the header has 2: “1,2,3”.',
      })
      expect(await readdir(directory)).toEqual([])
    })

    it('passes on the Retry-After of a source', async () => {
      server.set('/feed.csv', { status: 503, headers: { 'retry-after': '120' } })
      await expect(reader.run('ingest', ingestTask(), { signal })).rejects.toMatchObject({
        code: 'http-status',
        retryAfterMs: 120_000,
      })
    })

    it('refuses addresses that are not allowed', async () => {
      const task = {
        source: { type: 'URL', url: 'http://127.0.0.1:1/feed.csv' },
        reading: AUTOMATIC_READING,
      } as const
      await expect(reader.run('preview', task, { signal })).rejects.toMatchObject({
        code: 'address-refused',
      })
    })

    it('previews a source', async () => {
      server.set('/feed.csv', {
        body: 'sku;name\n1;Shirt\n',
        headers: { 'content-type': 'text/x' },
      })
      const task = {
        source: { type: 'URL', url: server.url('/feed.csv') },
        reading: AUTOMATIC_READING,
      } as const
      expect(await reader.run('preview', task, { signal })).toMatchObject({
        mediaType: 'text/x',
        preview: { columns: ['sku', 'name'], rows: [['1', 'Shirt']], dialect: { delimiter: ';' } },
      })
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
      const { rows, end, hasMore } = await reader.run('browse', first, { signal })
      expect(rows).toEqual([{ number: 1, cells: ['1', 'Boots'] }])
      expect(hasMore).toBe(true)
      expect(await reader.run('browse', { ...search, from: end }, { signal })).toMatchObject({
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
      const result = await reader.run('filter', task, { signal })
      expect(result).toMatchObject({ rowCount: 1, headRows: [['1', 'Boots']] })
      const written = await readFile(path('draft'), 'utf8')
      expect(written).toBe('sku,category\r\n1,Boots\r\n')
      expect(result.content).toEqual({ sha256: sha256(written), sizeBytes: written.length })
    })

    it.each([
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const)(
      'writes a copy of a stored file that is compressed with %s',
      async (coding, decompress) => {
        await writeFile(path('stored'), CSV.repeat(1_000))
        const task = { file: path('stored'), draft: path('draft'), coding }
        const { content } = await reader.run('compress', task, { signal })
        const written = await readFile(path('draft'))
        expect(decompress(written).toString()).toBe(CSV.repeat(1_000))
        const hash = createHash('sha256').update(written).digest('hex')
        expect(content).toEqual({ sha256: hash, sizeBytes: written.length })
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
      await expect(reader.run('filter', gone, { signal })).rejects.toMatchObject({ code: 'ENOENT' })
      server.set('/feed.csv', { body: CSV })
      const nowhere = { source: path('no/folder'), rewritten: path('no/folder') }
      const task = { ...ingestTask(), drafts: { ...ingestTask().drafts, ...nowhere } }
      await expect(reader.run('ingest', task, { signal })).rejects.toMatchObject({ code: 'ENOENT' })
    })

    it('reports progress even when the source stops sending', async () => {
      const feed = setSlowFeed(server, '/feed.csv', CSV, { 'content-length': '200' })
      const reported = Promise.withResolvers<unknown>()
      const onProgress = (progress: { bytes: number; expectedBytes: number | null }) => {
        if (progress.bytes === CSV.length) reported.resolve(progress)
      }
      const working = reader.run('ingest', ingestTask(), { signal, onProgress })
      const response = await feed.asked
      expect(await reported.promise).toMatchObject({ expectedBytes: 200 })
      response.destroy()
      await expect(working).rejects.toMatchObject({ name: 'FeedError' })
    })

    it('aborts a task with the reason of its signal, and leaves no scratch file', async () => {
      const feed = setSlowFeed(server, '/feed.csv', CSV)
      const stopping = new AbortController()
      const working = reader.run('ingest', ingestTask(), { signal: stopping.signal })
      await feed.asked
      const reason = new Error('No longer needed')
      stopping.abort(reason)
      await expect(working).rejects.toBe(reason)
      expect(await readdir(directory)).toEqual([])
    })

    it('starts no task whose signal has already fired', async () => {
      const reason = new Error('No longer needed')
      const work = reader.run('ingest', ingestTask(), { signal: AbortSignal.abort(reason) })
      await expect(work).rejects.toBe(reason)
      expect(server.requests).toEqual([])
    })
  })
}
