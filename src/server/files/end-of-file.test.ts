import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'

import { inChunks } from '../testing/fixtures/file-fixtures'
import { ingest, refusalOf } from '../testing/stages/ingesting'
import { previewFile } from './preview'
import { createEndOfFileFilter } from './read/scan/padding'

const NOTE = 'The end-of-file character of DOS at the end was left out.'
const TEXT = 'sku,name,qty\r\nA,Boot,5\r\nB,Hat,0\r\n'

describe('the end-of-file character of DOS', () => {
  const sources: [string, string | Uint8Array][] = [
    ['on a line of its own', `${TEXT}\u001A`],
    ['behind the last cell', `${TEXT.trimEnd()}\u001A`],
    ['with a line end', `${TEXT}\u001A\r\n`],
    ['in a file with LF', `${TEXT.replaceAll('\r\n', '\n')}\u001A\n`],
    ['as padding of a block', TEXT + '\u001A'.repeat(127)],
    ['twice, from joined files', `${TEXT}\u001A\r\n\u001A`],
    ['in Windows-1252', iconv.encode(`${TEXT}\u001A`, 'windows-1252')],
    ['in UTF-16', iconv.encode(`${TEXT}\u001A`, 'utf-16le', { addBOM: true })],
  ]
  it.each(sources)('is left out and told: %s', async (_name, source) => {
    for (const chunkBytes of [1, 7, 65_536]) {
      const { text, report } = await ingest(source, null, chunkBytes)
      expect({ text, rows: report.rowCount }).toEqual({ text: TEXT, rows: 2 })
      expect(report.problems).toEqual([{ line: null, count: 1, message: NOTE }])
    }
    const preview = await previewFile(inChunks(Buffer.from(source)), 'none')
    expect(preview).toMatchObject({ rowsRead: 2, problems: [{ message: NOTE }] })
  })

  it('is no product of a table of one column', async () => {
    expect((await ingest('sku\nA-1\nA-2\n\u001A')).text).toBe('sku\r\nA-1\r\nA-2\r\n')
  })

  it('is kept within the text', async () => {
    const source = 'sku,name\nA,one\u001Atwo\nB,Hat\u001A\nC,Cap\n'
    for (const chunkBytes of [1, 7, 65_536]) {
      const { text, report } = await ingest(source, null, chunkBytes)
      expect(text.replaceAll('\r\n', '\n')).toBe(source)
      expect(report.problems).toEqual([])
    }
  })

  it('makes no row of an empty file, and hides no file that was cut off', async () => {
    expect(await refusalOf('\u001A')).toMatchObject({ code: 'empty' })
    expect(await refusalOf(`${TEXT}C,Ca\u001A`)).toMatchObject({ code: 'truncated' })
  })

  it('is not kept in memory without a limit', () => {
    const filter = createEndOfFileFilter()
    let passed = 0
    for (let round = 0; round < 100; round++) {
      passed += filter.push(Buffer.alloc(1_000, 0x1a)).length
    }
    expect(100_000 - passed).toBeLessThanOrEqual(1_024)
  })
})
