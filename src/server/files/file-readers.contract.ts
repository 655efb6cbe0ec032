import { readFile, readdir, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../shared/automatic-reading'
import { setSlowSource } from '../testing/servers/slow-source'
import { CSV, type OpenReader, openReaderStage, sha256 } from '../testing/stages/reader-stage'
import { testContainedRecords } from './contained-records.contract'
import { testContainedTables } from './contained-tables.contract'
import type { HostGate } from './fetch/host-gate'
import type { TaskProgress } from './file-readers'
import { testOverlayTasks } from './overlay-tasks.contract'
import { testPublishedFiles } from './published-file.contract'
import { testStoredFileTasks } from './stored-file-tasks.contract'
import { testUpdateTasks } from './update-tasks.contract'

/** Tests that every file reader passes. @param open makes a reader that may access only its reach */
export function describeFileReaders(name: string, open: OpenReader): void {
  describe(name, () => {
    const stage = openReaderStage(open)
    const { path, feed, ingestTask } = stage
    const { signal } = new AbortController()

    it('passes a canonical source through unchanged, and reports its content', async () => {
      stage.server.set('/feed.csv', {
        body: CSV,
        etag: '"one"',
        headers: { 'content-type': 'text/csv' },
      })
      const result = await stage.reader.run('ingest', ingestTask(), { source: feed(), signal })
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

    it.each([
      ['as it is', Buffer.from(CSV)],
      ['compressed', gzipSync(CSV)],
    ])('reads a file that was sent to us, %s, and contacts nobody', async (_how, sent) => {
      await writeFile(path('sent'), sent)
      const source = {
        type: 'STORED',
        path: path('sent'),
        fileName: 'stock.csv',
        sizeBytes: sent.length,
      } as const
      const progress: TaskProgress[] = []
      const onProgress = (step: TaskProgress) => progress.push(step)
      const result = await stage.reader.run('ingest', ingestTask(), { source, signal, onProgress })
      expect(result).toMatchObject({
        content: { sha256: sha256(CSV) },
        etag: null,
        mediaType: '',
        report: { rowCount: 2 },
      })
      expect(progress[0]?.expectedBytes).toBe(sent.length === CSV.length ? CSV.length : null)
      expect(await readFile(path('sent'))).toEqual(sent)
      expect(stage.server.requests).toEqual([])
    })

    it('fails where a file that was sent to us is gone', async () => {
      const source = {
        type: 'STORED',
        path: path('gone'),
        fileName: 'stock.csv',
        sizeBytes: 1,
      } as const
      await expect(stage.reader.run('ingest', ingestTask(), { source, signal })).rejects.toThrow(
        'ENOENT',
      )
    })

    it('enters the gate of each host before a request, and leaves it afterwards', async () => {
      const seen: string[] = []
      const hosts: HostGate = {
        async enter(host) {
          seen.push(`enter ${host}`)
          return () => void seen.push(`leave ${host}`)
        },
      }
      stage.server.set('/old.csv', {
        status: 302,
        headers: { location: stage.server.url('/feed.csv') },
      })
      stage.server.set('/feed.csv', { body: CSV })
      const source = feed({ url: stage.server.url('/old.csv') })
      await stage.reader.run('ingest', ingestTask(), { source, signal, hosts })
      expect(seen).toEqual([`enter ${stage.server.host}`, `leave ${stage.server.host}`])
    })

    it('waits at the gate of a host until the task is aborted', async () => {
      const hosts: HostGate = {
        enter: (_host, waiting) =>
          new Promise((_resolve, reject) => {
            waiting.addEventListener('abort', () => reject(waiting.reason as Error))
          }),
      }
      stage.server.set('/feed.csv', { body: CSV })
      const stopping = new AbortController()
      const working = stage.reader.run('ingest', ingestTask(), {
        source: feed(),
        signal: stopping.signal,
        hosts,
      })
      stopping.abort(new Error('No longer needed'))
      await expect(working).rejects.toThrow('No longer needed')
      expect(stage.server.requests).toEqual([])
    })

    it('reports when the source has been received completely', async () => {
      stage.server.set('/feed.csv', { body: CSV })
      const reported: TaskProgress[] = []
      const onProgress = (progress: TaskProgress) => void reported.push(progress)
      await stage.reader.run('ingest', ingestTask(), { source: feed(), signal, onProgress })
      expect(reported.at(-1)).toMatchObject({ bytes: CSV.length, isReceived: true })
    })

    it('guesses the charset of a source, and names it', async () => {
      const rows = Array.from({ length: 5_000 }, (_, index) => `${index},Čepice,Žlutý svetr,Šála\n`)
      const text = `sku,a,b,c\n${rows.join('')}`
      stage.server.set('/feed.csv', { body: iconv.encode(text, 'windows-1250') })
      const result = await stage.reader.run('ingest', ingestTask(), { source: feed(), signal })
      expect(result).toMatchObject({
        report: {
          dialect: { encoding: 'windows-1250' },
          problems: [{ message: expect.stringContaining('Read as Windows-1250: check that Ž') }],
        },
      })
      expect(await readFile(path('rewritten'), 'utf8')).toBe(text.replaceAll('\n', '\r\n'))
    })

    it('rewrites a source that is not canonical', async () => {
      stage.server.set('/feed.csv', { body: 'sku;name\n1;Caf\u00E9\n2;"a;b"\n' })
      const result = await stage.reader.run('ingest', ingestTask(), { source: feed(), signal })
      expect(result).toMatchObject({ draft: 'rewritten', report: { isRewritten: true } })
      expect(await readFile(path('rewritten'), 'utf8')).toBe('sku,name\r\n1,Caf\u00E9\r\n2,a;b\r\n')
      expect(await readdir(stage.directory)).toEqual(['keys', 'rewritten'])
    })

    it('reports more category counts than one message holds', async () => {
      const rows = Array.from({ length: 3_000 }, (_, row) => `${row},Kind ${row % 1_234}`)
      stage.server.set('/feed.csv', { body: `sku,category\r\n${rows.join('\r\n')}\r\n` })
      const result = await stage.reader.run('ingest', ingestTask(), { source: feed(), signal })
      const counts = result.kind === 'file' ? result.report.categoryCounts : []
      expect(counts).toHaveLength(1_234)
      expect(counts.reduce((sum, { rows: some }) => sum + some, 0)).toBe(3_000)
    })

    it('sends credentials and validators, and reports an unchanged source', async () => {
      stage.server.set('/feed.csv', { body: CSV, etag: '"one"' })
      const credentials = { name: 'Authorization', value: 'Bearer token' }
      const source = feed({ etag: '"one"', credentials })
      const make = () => Promise.reject(new Error('There is nothing to read'))
      expect(await stage.reader.run('ingest', make, { source, signal })).toEqual({
        kind: 'unchanged',
      })
      expect(stage.server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer token' })
      expect(await readdir(stage.directory)).toEqual([])
    })

    it('rejects with a FileError for an unusable source, and leaves no scratch file', async () => {
      stage.server.set('/feed.csv', { body: 'sku,name\r\n1,2,3\r\n' })
      await expect(
        stage.reader.run('ingest', ingestTask(), { source: feed(), signal }),
      ).rejects.toMatchObject({
        name: 'FileError',
        code: 'ragged-row',
        line: 2,
        message: 'Line 2 has 3 cells, but the header has 2: “1,2,3”.',
      })
      expect(await readdir(stage.directory)).toEqual([])
    })

    it('passes on the Retry-After of a source', async () => {
      stage.server.set('/feed.csv', { status: 503, headers: { 'retry-after': '120' } })
      await expect(
        stage.reader.run('ingest', ingestTask(), { source: feed(), signal }),
      ).rejects.toMatchObject({
        code: 'http-status',
        retryAfterMs: 120_000,
      })
    })

    it('makes no task that cannot be made, and none of a source that cannot be fetched', async () => {
      const reason = new Error('The disk is full')
      const make = () => Promise.reject(reason)
      stage.server.set('/feed.csv', { body: CSV })
      await expect(stage.reader.run('ingest', make, { source: feed(), signal })).rejects.toBe(
        reason,
      )
      stage.server.set('/feed.csv', { status: 404 })
      await expect(
        stage.reader.run('ingest', make, { source: feed(), signal }),
      ).rejects.toMatchObject({ code: 'http-status' })
    })

    it('refuses addresses that are not allowed', async () => {
      const source = feed({ url: 'http://127.0.0.1:1/feed.csv' })
      const task = { reading: AUTOMATIC_READING, draft: path('container') }
      await expect(stage.reader.run('preview', task, { source, signal })).rejects.toMatchObject({
        code: 'address-refused',
      })
    })

    it('previews a source', async () => {
      stage.server.set('/feed.csv', {
        body: 'sku;name\n1;Shirt\n',
        headers: { 'content-type': 'text/x' },
      })
      const task = { reading: AUTOMATIC_READING, draft: path('container') }
      expect(await stage.reader.run('preview', task, { source: feed(), signal })).toMatchObject({
        mediaType: 'text/x',
        preview: { columns: ['sku', 'name'], rows: [['1', 'Shirt']], dialect: { delimiter: ';' } },
      })
    })

    it('reports progress even when the source stops sending', async () => {
      const slow = setSlowSource(stage.server, '/feed.csv', CSV, { 'content-length': '200' })
      const reported = Promise.withResolvers<unknown>()
      const onProgress = (progress: { bytes: number; expectedBytes: number | null }) => {
        if (progress.bytes === CSV.length) reported.resolve(progress)
      }
      const working = stage.reader.run('ingest', ingestTask(), {
        source: feed(),
        signal,
        onProgress,
      })
      const response = await slow.asked
      expect(await reported.promise).toMatchObject({ expectedBytes: 200 })
      response.destroy()
      await expect(working).rejects.toMatchObject({ name: 'FileError' })
    })

    it('aborts a task with the reason of its signal, and leaves no scratch file', async () => {
      const slow = setSlowSource(stage.server, '/feed.csv', CSV)
      const stopping = new AbortController()
      const working = stage.reader.run('ingest', ingestTask(), {
        source: feed(),
        signal: stopping.signal,
      })
      await slow.asked
      const reason = new Error('No longer needed')
      stopping.abort(reason)
      await expect(working).rejects.toBe(reason)
      expect(await readdir(stage.directory)).toEqual([])
    })

    it('starts no task whose signal has already fired', async () => {
      const reason = new Error('No longer needed')
      const work = stage.reader.run('ingest', ingestTask(), {
        source: feed(),
        signal: AbortSignal.abort(reason),
      })
      await expect(work).rejects.toBe(reason)
      expect(stage.server.requests).toEqual([])
    })

    testPublishedFiles(stage)
    testStoredFileTasks(stage)
    testUpdateTasks(stage)
    testOverlayTasks(stage)
    testContainedTables(stage)
    testContainedRecords(stage)
  })
}
