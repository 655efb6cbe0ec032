import { describe, expect, it } from 'vitest'

import { columnPolicySchema } from '../../../shared/schemas/column-policy'
import {
  shopFormatSchema,
  withoutUnusedOptions,
  type ShopFormat,
} from '../../../shared/schemas/shop-format'
import { toVariantSpec } from '../../domain/variant-spec'
import { inChunks } from '../../testing/fixtures/file-fixtures'
import { filterFile } from '../filter'
import type { WrittenForm } from './column-finder'

const { signal } = new AbortController()
const FILE =
  'sku,name,price,qty,=note\r\n' +
  '=1,=1+1,-5,7,a;=NOW()\r\n' +
  '-2,＠SUM(A1),+3.2,-1,plain\r\n' +
  '3,"-1,234.50",9,0,-A1\r\n'

async function write(profile: Partial<ShopFormat>, form: WrittenForm = 'csv') {
  const chunks: Buffer[] = []
  const policy = columnPolicySchema.parse({})
  const parsed = shopFormatSchema.parse(profile)
  const format = { profile: parsed, policy, quantityColumn: 'qty', form }
  const result = await filterFile(
    inChunks(Buffer.from(FILE)),
    { categoryReading: null, categories: null, format, signal },
    async (chunk) => void chunks.push(Buffer.from(chunk)),
  )
  return { ...result, text: Buffer.concat(chunks).toString() }
}

const GUARDED =
  "\uFEFFsku,name,price,qty,'=note\r\n" +
  "'=1,'=1+1,-5,7,a;'=NOW()\r\n" +
  "-2,'＠SUM(A1),+3.2,-1,plain\r\n" +
  '3,"-1,234.50",9,0,\'-A1\r\n'

describe('formulas in a file for Excel', () => {
  it('have apostrophes, which numbers do not need; how many is told, with an example', async () => {
    const { text, problems, headRows } = await write({ kind: 'excel' })
    expect(text).toBe(GUARDED)
    expect(headRows[0]?.[1]).toBe("'=1+1")
    expect(problems).toEqual([
      {
        line: null,
        message: "A cell that Excel would run as a formula got an apostrophe, such as “'=note”.",
        count: 6,
      },
    ])
  })

  it('have them in each form of Excel', async () => {
    const semicolon = await write({ kind: 'excel', delimiter: 'semicolon' })
    expect(semicolon.text).toContain(`'=1;'=1+1;-5;7;"a;'=NOW()"\r\n`)
    const stock = await write({ kind: 'excel', hasOnlyStock: true, skuPrefix: '=' })
    expect(stock.text).toBe("\uFEFFsku,quantity\r\n'==1,7\r\n'=-2,0\r\n'=3,0\r\n")
  })

  it('stay where a program reads them, and where the retailer wants them to', async () => {
    const plain = await write({ kind: 'excel', guardsFormulas: false })
    expect(plain.text).toBe(`\uFEFF${FILE}`)
    expect(plain.problems).toEqual([])
    expect((await write({ kind: 'own' })).text).toBe(FILE)
    expect((await write({ kind: 'asIs' })).text).toBe(FILE)
    expect((await write({ kind: 'excel' }, 'json')).text).toContain('"name":"=1+1"')
  })

  it('are guarded in files that were chosen before there was a choice', () => {
    const settings = {
      isAllProducts: true,
      categories: [],
      priceRules: null,
      columnPolicy: columnPolicySchema.parse({}),
    }
    const viewOf = (profile: Partial<ShopFormat>) =>
      toVariantSpec({ ...settings, profile: shopFormatSchema.parse(profile) })
    expect(viewOf({ kind: 'excel' })).toEqual(viewOf({ kind: 'excel', guardsFormulas: true }))
    expect(viewOf({ kind: 'excel' })?.profile?.guardsFormulas).toBe(true)
    // The keys of other files stay what they were.
    expect(withoutUnusedOptions(shopFormatSchema.parse({ kind: 'stock' }))).not.toHaveProperty(
      'guardsFormulas',
    )
  })
})
