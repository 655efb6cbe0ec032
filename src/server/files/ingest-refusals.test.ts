import { gzipSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { createMemoryDrafts, inChunks } from '../testing/fixtures/file-fixtures'
import { ingest, refusalOf } from '../testing/stages/ingesting'
import { FileError } from './file-error'
import { type IngestProgress, ingestFile } from './ingest'

const { signal } = new AbortController()

describe('refusing a source', () => {
  const cases: [string, string | Uint8Array, string, string][] = [
    ['nothing', '', 'empty', 'CSV file is empty'],
    ['a byte order mark alone', '\uFEFF', 'empty', 'CSV file is empty'],
    ['blank lines alone', '\n\n  \n', 'empty', 'CSV file is empty'],
    ['HTML', '\uFEFF\n<!-- x -->\n<!DOCTYPE html><html>', 'not-csv-html', 'a web page (HTML)'],
    ['HTML without doctype', '<head><title>Sign in</title>', 'not-csv-html', 'a web page'],
    ['MHTML', 'MIME-Version: 1.0\r\nX-Document-Type: Workbook\r\n', 'not-csv-html', 'MHTML'],
    [
      'an image',
      Buffer.from('\u0089PNG\r\n\u001a\n\0\0\0\rIHDR', 'latin1'),
      'not-csv-image',
      'an image (PNG)',
    ],
    ['PDF', '%PDF-1.7\n', 'not-csv-pdf', 'a PDF document'],
    ['zip', Buffer.from('PK\u0003\u0004feed.csv'), 'not-csv-archive', 'an archive (zip)'],
    ['Excel', Buffer.from('PK\u0003\u0004[Content_Types].xml'), 'not-csv-spreadsheet', '.xlsx'],
    ['gzip', gzipSync('a,b\n'), 'not-csv-archive', 'gzip'],
    ['binary data', Buffer.from('a\u0001\u0002\u0003b\u0004\u0005'), 'not-csv-binary', 'not text'],
    [
      'long rows',
      'a,b\n1,2\n1,2,3\n',
      'ragged-row',
      'Line 3 has 3 cells, but the header has 2: “1,2,3”.',
    ],
    [
      'an unclosed quote',
      'a,b\n"1","x, y"\n"2","z\n3,w\n"4","v, u"\n',
      'bad-quotes',
      'begins on line 3',
    ],
    [
      'a quote open to the end',
      'a,b\n1,"x, y"\n2,"z\n3,w, u\n',
      'unclosed-quote',
      'opens on line 3',
    ],
    ['too many columns', `${'a,'.repeat(2_000)}a\n`, 'too-many-columns', 'more than 2000 cells'],
  ]
  for (const [name, source, code, message] of cases) {
    it(`reports ${name}`, async () => {
      const error = await refusalOf(source)
      expect({ code: error.code, message: error.message }).toEqual({
        code,
        message: expect.stringContaining(message),
      })
    })
  }

  it('treats a short last row without a line end as cut off, unless other rows are short', async () => {
    for (const source of ['a,b\n1,2\n3', 'a;b\n1;2\n3', 'a,b,c\r\n1,2', 'a,b\n1,2\n"3"']) {
      expect({ source, code: (await refusalOf(source)).code }).toEqual({
        source,
        code: 'truncated',
      })
    }
    for (const source of ['a,b\n1,2\n3\n', 'a,b\n1,2\n3\r', 'a,b\n1\n2,3\n4', 'a,b\n1,2\n3,']) {
      expect((await ingest(source)).report.columns).toEqual(['a', 'b'])
    }
  })

  it('does not mistake column names in brackets for JSON or XML', async () => {
    expect((await ingest('<SKU>,<NAME>\n1,a\n')).report.columns).toEqual(['<SKU>', '<NAME>'])
    expect((await ingest('[sku],[name]\n1,a\n')).report.columns).toEqual(['[sku]', '[name]'])
  })

  it('does not read quotes as text where other cells are enclosed in them', async () => {
    const error = await refusalOf('"a","b"\n"1","x\n"2","y"\n')
    expect(error.code).toBe('bad-quotes')
  })
})

async function* failing() {
  yield Buffer.from('a;b\n1;2\n')
  throw new FileError('truncated', 'cut')
}

describe('an ingest', () => {
  it('leaves no draft behind when the body fails', async () => {
    const drafts = createMemoryDrafts()
    const work = ingestFile(failing(), {
      openDraft: drafts.open,
      compression: 'none',
      categoryReading: null,
      signal,
    })
    await expect(work).rejects.toThrow('cut')
    expect(drafts.kept()).toEqual([])
  })

  it('rejects with the reason of its signal in either pass, and ends the body', async () => {
    for (const stopAt of [1, 4]) {
      const abort = new AbortController()
      const drafts = createMemoryDrafts()
      let calls = 0
      let isBodyEnded = false
      async function* body() {
        try {
          for (let index = 0; index < 2; index++) yield Buffer.from('a;b\n1;2\n')
        } finally {
          isBodyEnded = true
        }
      }
      const work = ingestFile(body(), {
        openDraft: drafts.open,
        compression: 'none',
        categoryReading: null,
        signal: abort.signal,
        onProgress: () => {
          calls++
          if (calls === stopAt) abort.abort(new Error('stopped'))
        },
      })
      await expect(work).rejects.toThrow('stopped')
      expect(drafts.kept()).toEqual([])
      expect(isBodyEnded).toBe(true)
    }
  })

  it('reports the bytes received and whether all have been', async () => {
    const seen: IngestProgress[] = []
    await ingestFile(inChunks(Buffer.from('a,b\n1,2\n')), {
      openDraft: createMemoryDrafts().open,
      compression: 'gzip',
      categoryReading: null,
      signal,
      onProgress: (progress) => seen.push(progress),
    })
    expect(seen.map(({ bytes, isReceived }) => [bytes, isReceived])).toEqual([
      [8, false],
      [8, true],
    ])
  })
})
