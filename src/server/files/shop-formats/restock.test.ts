import { describe, expect, it } from 'vitest'

import { columnPolicySchema } from '../../../shared/schemas/column-policy'
import type { ShopFormat } from '../../../shared/schemas/shop-format'
import { shopFormatSchema } from '../../../shared/schemas/shop-format'
import { toViewKey } from '../../db/stored-json'
import { toVariantSpec } from '../../domain/variant-spec'
import { writeIn } from '../../testing/stages/written-workbooks'
import { detectRoles } from './column-roles'

const FILE =
  'sku,qty,ean,ETA,On order\r\n' +
  'A,0,400,25.04.2026,20\r\n' +
  'B,3,401,,\r\n' +
  'C,0,402,03/04/2026,1\r\n' +
  'D,0,403,05/06/2026,2\r\n'

const write = async (profile: Partial<ShopFormat>, policy = {}, file = FILE) => {
  const { bytes, problems } = await writeIn('csv', file, { hasRestock: true, ...profile }, policy)
  return { text: bytes.toString(), problems }
}

const specOf = (profile: Partial<ShopFormat>, roles = {}) =>
  toVariantSpec({
    isAllProducts: true,
    categories: [],
    profile: shopFormatSchema.parse(profile),
    priceRules: null,
    columnPolicy: columnPolicySchema.parse({ roles }),
  })
const keyOf = (...settings: Parameters<typeof specOf>) => toViewKey(specOf(...settings)!)

describe('the next delivery of an item', () => {
  it('is in a stock file that is to have it, with dates as ISO 8601 where they are certain', async () => {
    const { text, problems } = await write({ kind: 'stock', hasBarcode: true })
    expect(text).toBe(
      'sku,quantity,barcode,restock_date,restock_quantity\n' +
        'A,0,400,2026-04-25,20\nB,3,401,,\nC,0,402,03/04/2026,1\nD,0,403,05/06/2026,2\n',
    )
    expect(problems).toEqual([
      {
        line: null,
        count: 2,
        message:
          'A restock date was written as it is, such as “03/04/2026”: it is not certain which day is meant.',
      },
    ])
  })

  it('is in files for Excel that have only stock, and in no other', async () => {
    const header = ({ text }: { text: string }) => text.replace('\uFEFF', '').split(/\r?\n/)[0]
    for (const kind of ['excel', 'workbook'] as const) {
      expect(header(await write({ kind, hasOnlyStock: true }))).toBe(
        'sku,quantity,restock_date,restock_quantity',
      )
      expect(header(await write({ kind }))).toBe('sku,qty,ean,ETA,On order')
    }
    expect(header(await write({ kind: 'semicolon' }))).toBe('Reference;Quantity')
    expect(header(await write({ kind: 'google' }))).toBe('id\tavailability')
  })

  it('has the columns that the supplier has chosen and shows, and needs one of them', async () => {
    const roles = { sku: null, quantity: null, barcode: null, price: null }
    const file = 'sku,qty,when,many,ETA\r\nA,0,2026/4/25,7,2026-01-01\r\n'
    const chosen = { roles: { ...roles, restockDate: 'when', restockQuantity: 'many' } }
    expect((await write({ kind: 'stock' }, chosen, file)).text).toBe(
      'sku,quantity,restock_date,restock_quantity\nA,0,2026-04-25,7\n',
    )
    expect((await write({ kind: 'stock' }, { ...chosen, hidden: ['When'] }, file)).text).toBe(
      'sku,quantity,restock_quantity\nA,0,7\n',
    )
    await expect(write({ kind: 'stock' }, {}, 'sku,qty\r\nA,0\r\n')).rejects.toThrow(
      'This profile needs a column with the restock date or restock quantity, which the file does not have.',
    )
  })

  it('is found by names in several languages, of which none is a quantity', () => {
    for (const [date, quantity] of [
      ['Restock Date', 'Incoming Qty'],
      ['Verfügbar ab', 'Zulauf'],
      ['Date réappro', 'Quantité attendue'],
      ['Fecha reposición', 'Cantidad esperada'],
      ['Data dostępności', 'Ilość w dostawie'],
    ] as const) {
      expect(detectRoles([quantity, date, 'sku', 'stock'], null)).toMatchObject({
        quantity: 'stock',
        restockDate: date,
        restockQuantity: quantity,
      })
    }
  })

  it('changes no key of a file that does not have it, so that none is written anew', () => {
    const chosen = { restockDate: 'when' }
    expect(keyOf({ kind: 'stock' })).toBe(
      'f1aca180c120d1b41dd46b689db210ffcb5967bd62388399fe59efe375f54f12',
    )
    expect(keyOf({ kind: 'stock' }, chosen)).toBe(keyOf({ kind: 'stock' }))
    expect(keyOf({ kind: 'stock', hasRestock: false })).toBe(keyOf({ kind: 'stock' }))
    expect(keyOf({ kind: 'workbook', hasRestock: true })).toBe(keyOf({ kind: 'workbook' }))
    const restock = { kind: 'stock', hasRestock: true } as const
    expect(keyOf(restock)).not.toBe(keyOf({ kind: 'stock' }))
    expect(keyOf(restock, chosen)).not.toBe(keyOf(restock))
    expect(keyOf(restock, { restockDate: null })).toBe(keyOf(restock))
  })
})
