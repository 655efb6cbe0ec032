import { describe, expect, it } from 'vitest'

import type { CategoryReading } from '../../shared/schemas/file'
import { inChunks } from '../testing/fixtures/file-fixtures'
import { filterFile } from './filter'

const { signal } = new AbortController()
const reading: CategoryReading = { column: 'category', pathSeparator: '>', listSeparator: '|' }

async function filter(
  source: string,
  categories: string[],
  by: CategoryReading | null = reading,
  chunkBytes = 65_536,
) {
  const chunks: Buffer[] = []
  const result = await filterFile(
    inChunks(Buffer.from(source), chunkBytes),
    { categoryReading: by, categories, format: null, signal },
    async (chunk) => void chunks.push(Buffer.from(chunk)),
  )
  return { text: Buffer.concat(chunks).toString(), ...result }
}

describe('a filtered file', () => {
  const table = 'sku,Category,x\r\n1,A > B,"q, ""1"""\n2,C,y\r3,"a | C",z\n4,,w\n\n'

  it('has the header and the matching rows, byte for byte', async () => {
    for (const chunkBytes of [1, 3, 65_536]) {
      const { text, rowCount } = await filter(table, ['A'], reading, chunkBytes)
      expect(text).toBe('sku,Category,x\r\n1,A > B,"q, ""1"""\n3,"a | C",z\n')
      expect(rowCount).toBe(2)
    }
  })

  it('has only the header when no category is chosen or matches, or there is no such column', async () => {
    expect((await filter(table, [])).text).toBe('sku,Category,x\r\n')
    expect((await filter(table, ['Z'])).text).toBe('sku,Category,x\r\n')
    expect((await filter(table, ['A'], { ...reading, column: 'gone' })).text).toBe(
      'sku,Category,x\r\n',
    )
    expect((await filter(table, ['A'], null)).text).toBe('sku,Category,x\r\n')
  })

  it('keeps a last row without a line end', async () => {
    expect((await filter('category\nA\nB', ['B'])).text).toBe('category\nB')
  })

  it('comes with its first rows, trimmed for previews', async () => {
    expect((await filter(table, ['A'])).headRows).toEqual([
      ['1', 'A > B', 'q, "1"'],
      ['3', 'a | C', 'z'],
    ])
  })

  it('includes variants without a category when their product matches', async () => {
    const shopify = 'Handle,Category,Size\nshirt,A > B,S\nshirt,,M\nhat,C,\nshirt,,L\nsock,,\n'
    expect((await filter(shopify, ['A'])).text).toBe(
      'Handle,Category,Size\nshirt,A > B,S\nshirt,,M\nshirt,,L\n',
    )
    const woocommerce = 'ID,SKU,Parent,Category\n1,P1,,A\n2,V1,P1,\n3,V2,id:1,\n4,P2,,C\n5,V3,P2,\n'
    expect((await filter(woocommerce, ['A'])).rowCount).toBe(3)
  })
})
