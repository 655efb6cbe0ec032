import { describe, expect, it } from 'vitest'

import { ingest } from '../../../testing/stages/ingesting'
import { createEncodingDetector } from './encoding'

/** 日本 and 東京 in the charset JIS X 0208. */
const JAPANESE =
  'sku,name,city\n1,\u001B$BF|K\\\u001B(B,\u001B$BEl5~\u001B(B\n2,Hat,\u001B(J\\\u001B(B\n'
/** 가, and 가나 in one cell. */
const KOREAN = '\u001B$)Csku,name\n1,\u000E0!\u000F\n2,\u000E0!3*\u000F x\n'

describe('charsets of seven bits', () => {
  it.each([
    ['ISO-2022-JP', JAPANESE, 'sku,name,city\r\n1,日本,東京\r\n2,Hat,¥\r\n'],
    ['ISO-2022-KR', KOREAN, 'sku,name\r\n1,가\r\n2,가나 x\r\n'],
  ])('are read by their escape sequences: %s', async (name, source, expected) => {
    for (const chunkBytes of [1, 7, 65_536]) {
      const { text, report } = await ingest(source, null, chunkBytes)
      expect(text).toBe(expected)
      expect(report).toMatchObject({
        dialect: { encoding: name.toLowerCase() },
        problems: [],
        isRewritten: true,
      })
    }
  })

  it('are found far behind the beginning', async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `${row},plain,x\n`).join('')
    const { text } = await ingest(`sku,name,city\n${rows}x,\u001B$BF|K\\\u001B(B,y\n`)
    expect(text.endsWith('x,日本,y\r\n')).toBe(true)
  })

  it.each([
    ['other escape sequences', 'sku,name\n1,\u001B[31mred\u001B(B\n'],
    ['text in UTF-8', 'sku,name\n1,\u001B$BF|K\n2,Müller\n'],
  ])('are not %s', async (_name, source) => {
    const detector = createEncodingDetector()
    detector.push(Buffer.from(source))
    expect((await detector.detect(true)).name).toBe('utf-8')
  })

  it('decode an unknown character to a sign that is reported', async () => {
    const { report } = await ingest('sku,name\n1,\u001B$B)!\u001B(B\n2,\u001B$BF|K\\\u001B(B\n')
    expect(report.problems).toEqual([
      { line: 2, count: 1, message: expect.stringContaining('cannot be read as ISO-2022-JP') },
    ])
  })
})
