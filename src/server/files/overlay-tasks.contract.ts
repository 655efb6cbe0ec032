import { readdir, readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../shared/automatic-reading'
import { type JoinChoices, joinChoicesSchema } from '../../shared/schemas/overlay'
import { NO_ROLES, type ReaderStage, sha256 } from '../testing/stages/reader-stage'
import type { HostGate } from './fetch/host-gate'
import type { TaskProgress } from './file-readers'

/** Rows of more than 4 KB, so that those between two others are not read with them. */
const ROWS = 160
const listItems = (rowOf: (item: number) => string) =>
  Array.from({ length: ROWS }, (_, item) => rowOf(item)).join('')
const FILE = `sku,text,qty\r\n${listItems((item) => `S${item},${'x'.repeat(5_000)},0\r\n`)}`
const STOCK = `sku;qty;price\n${listItems((item) => `S${ROWS - 1 - item};${ROWS - 1 - item};2\n`)}`
const JOINED = `sku,text,qty,price\r\n${listItems((item) => `S${item},${'x'.repeat(5_000)},${item},2\r\n`)}`

/** The part of `file-readers.contract.ts` that is about files with an overlay. */
export function testOverlayTasks(stage: ReaderStage): void {
  const { path, feed, ingestTask } = stage
  const { signal } = new AbortController()

  /** What a task has of the overlay that the server has at this path. */
  const overlayAt = (address: string, choices: Partial<JoinChoices> = {}) => ({
    source: { type: 'URL', url: stage.server.url(address) } as const,
    task: {
      file: path('overlay'),
      reading: AUTOMATIC_READING,
      choices: joinChoicesSchema.parse(choices),
    },
  })

  function ingestWith({ source, task }: ReturnType<typeof overlayAt>) {
    return {
      task: { ...ingestTask(), overlay: task },
      source: { ...feed(), overlay: { source, file: task.file } },
    }
  }

  function previewWith({ source, task }: ReturnType<typeof overlayAt>) {
    return {
      task: {
        reading: AUTOMATIC_READING,
        draft: path('container'),
        overlay: { ...task, roles: NO_ROLES },
      },
      source: { ...feed(), overlay: { source, file: task.file } },
    }
  }

  describe('an overlay', () => {
    it.each([
      ['as it is', Buffer.from(STOCK)],
      ['compressed', gzipSync(STOCK)],
    ])('is joined wherever its rows are, %s, and only the result is left', async (_, body) => {
      stage.server.set('/feed.csv', { body: FILE, etag: '"one"' })
      stage.server.set('/stock.csv', { body, etag: '"two"' })
      const entered: string[] = []
      const hosts: HostGate = {
        async enter(host) {
          entered.push('enter', host)
          return () => void entered.push('leave')
        },
      }
      const reported: TaskProgress[] = []
      const onProgress = (progress: TaskProgress) => void reported.push(progress)
      const { task, source } = ingestWith(overlayAt('/stock.csv'))
      const result = await stage.reader.run('ingest', task, { source, signal, hosts, onProgress })
      expect(result).toMatchObject({
        kind: 'file',
        draft: 'table',
        etag: '"one"',
        report: { rowCount: ROWS, columns: ['sku', 'text', 'qty', 'price'] },
        keys: { column: 'sku', keyCount: ROWS },
        overlay: {
          counts: { joined: ROWS, onlyInFile: { rows: 0 }, onlyInOverlay: { rows: 0 } },
          replaced: ['qty'],
          etag: '"two"',
        },
      })
      expect(await readFile(path('table'), 'utf8')).toBe(JOINED)
      const { host } = stage.server
      expect(entered).toEqual(['enter', host, 'leave', 'enter', host, 'leave'])
      const bytes = reported.map((progress) => progress.bytes)
      expect(bytes).toEqual(bytes.toSorted((one, other) => one - other))
      expect(reported.at(-1)).toMatchObject({ isReceived: true })
      // The one that was fetched is the caller's, who may have to try again.
      expect(await readdir(stage.directory)).toEqual(['keys', 'overlay', 'table'])
    })

    it('may be a document', async () => {
      const items = Array.from({ length: 3 }, (_, item) => ({ sku: `S${item}`, qty: item }))
      stage.server.set('/feed.csv', { body: FILE })
      stage.server.set('/stock.json', { body: JSON.stringify(items) })
      const { task, source } = ingestWith(overlayAt('/stock.json', { onlyInFile: 'leave-out' }))
      const result = await stage.reader.run('ingest', task, { source, signal })
      expect(result).toMatchObject({ report: { rowCount: 3, quantity: { sum: 3 } } })
      expect(await readdir(stage.directory)).toEqual(['keys', 'overlay', 'table'])
    })

    it('that cannot be joined leaves nothing, and the error says at which address', async () => {
      stage.server.set('/feed.csv', { body: FILE })
      stage.server.set('/stock.csv', { body: 'ean,qty\n1,1\n' })
      const { task, source } = ingestWith(overlayAt('/stock.csv'))
      await expect(stage.reader.run('ingest', task, { source, signal })).rejects.toThrow(
        'At the second address: The file lacks the column “sku”',
      )
      expect(await readdir(stage.directory)).toEqual(['overlay'])
    })

    it('is limited in size together with the file', async () => {
      const rows = Array.from(
        { length: 5_000 },
        (_, item) => `${item},${sha256(`${item}`).repeat(15)}\n`,
      )
      const large = `sku,text\n${rows.join('')}`
      stage.server.set('/feed.csv', { body: large })
      stage.server.set('/stock.csv', { body: gzipSync(large) })
      const { task, source } = ingestWith(overlayAt('/stock.csv'))
      await expect(stage.reader.run('ingest', task, { source, signal })).rejects.toThrow(
        'The files at both addresses are together larger than 8 MB',
      )
    })

    it('shows in a preview what is joined, and how many rows', async () => {
      stage.server.set('/feed.csv', { body: 'sku,name\n1,One\n2,Two\n' })
      stage.server.set('/stock.csv', { body: 'sku,qty\n2,7\n3,8\n4,9\n' })
      const { task, source } = previewWith(overlayAt('/stock.csv', { onlyInOverlay: 'keep' }))
      const { preview } = await stage.reader.run('preview', task, { source, signal })
      expect(preview).toMatchObject({
        columns: ['sku', 'name', 'qty'],
        rows: [
          ['1', 'One', ''],
          ['2', 'Two', '7'],
          ['3', '', '8'],
          ['4', '', '9'],
        ],
        rowsRead: 4,
        isPartial: false,
        overlay: {
          counts: {
            joined: 1,
            onlyInFile: { rows: 1, isKept: true },
            onlyInOverlay: { rows: 2, isKept: true },
          },
          problem: null,
        },
      })
      expect(await readdir(stage.directory)).toEqual(['overlay'])
    })

    it('shows in a preview of a long file its first rows joined', async () => {
      const long = (row: (item: number) => string) =>
        Array.from({ length: 150_000 }, (_, item) => row(item)).join('')
      stage.server.set('/feed.csv', {
        body: `sku,name\n${long((item) => `${item},Item ${item}\n`)}`,
      })
      stage.server.set('/stock.csv', {
        body: `sku,qty\n${long((item) => `${item},${item % 7}\n`)}`,
      })
      const { task, source } = previewWith(overlayAt('/stock.csv', { onlyInOverlay: 'keep' }))
      const { preview } = await stage.reader.run('preview', task, { source, signal })
      expect(preview).toMatchObject({ isPartial: true, overlay: { counts: null, problem: null } })
      expect(preview.rows).toHaveLength(100)
      expect(preview.rows.at(-1)).toEqual(['99', 'Item 99', '1'])
    })

    it('that cannot be joined leaves a preview of the file alone, with the reason', async () => {
      stage.server.set('/feed.csv', { body: 'sku,name\n1,One\n' })
      stage.server.set('/stock.csv', { body: 'sku,qty\n9,1\n' })
      const { task, source } = previewWith(overlayAt('/stock.csv'))
      const { preview } = await stage.reader.run('preview', task, { source, signal })
      expect(preview).toMatchObject({
        columns: ['sku', 'name'],
        overlay: { counts: null, problem: expect.stringContaining('No row at the second address') },
      })
      expect(await readdir(stage.directory)).toEqual(['overlay'])
    })
  })
}
