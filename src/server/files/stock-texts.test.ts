import { describe, expect, it } from 'vitest'

import { inChunks } from '../testing/fixtures/file-fixtures'
import { countStockTexts } from './stock-texts'

const { signal } = new AbortController()
const count = (file: string, options = {}) =>
  countStockTexts(inChunks(Buffer.from(file), 5), {
    column: 'stock',
    maxBytes: 1e9,
    signal,
    ...options,
  })

describe('the texts of a quantity column', () => {
  it('are those that are no numbers, the most frequent first', async () => {
    const file =
      'sku,Stock\r\n1,low\r\n2,high\r\n3,12\r\n4,> 100\r\n5, high \r\n6,\r\n7,"a, ""b"""\r\n'
    expect(await count(file)).toEqual({
      texts: [
        { text: 'high', rows: 2 },
        { text: 'low', rows: 1 },
        { text: 'a, "b"', rows: 1 },
      ],
      isWhole: true,
    })
  })

  it('are at most 100, short ones, of as much of the file as was asked for', async () => {
    const rows = Array.from({ length: 500 }, (_, row) => `${row},text ${row}x\r\n`).join('')
    const file = `sku,stock\r\n0,${'long '.repeat(20)}\r\n${rows}`
    const { texts } = await count(file)
    expect(texts).toHaveLength(100)
    expect(texts[0]?.text).toBe('text 0x')
    expect((await count(file, { maxBytes: 300 })).isWhole).toBe(false)
  })

  it('are none when the column is not in the file', async () => {
    expect((await count('sku\r\n1\r\n')).texts).toEqual([])
  })
})
