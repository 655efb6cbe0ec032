import { describe, expect, it } from 'vitest'

import { columnPolicySchema } from '../../../shared/schemas/column-policy'
import { shopFormatSchema, type ShopFormat } from '../../../shared/schemas/shop-format'
import { inChunks } from '../../testing/fixtures/file-fixtures'
import { filterFile } from '../filter'
import type { WrittenForm } from './column-finder'
import { judgeNumbers } from './quantity-numbers'

const { signal } = new AbortController()
const NO_ROLES = columnPolicySchema.parse({}).roles
const FILE =
  'SKU,Name,Qty,EAN,Cost\r\n' +
  '"A,1",Boot,12,400,9.50\r\n' +
  'B2,"Hat ""new""",3,,2.00\r\n' +
  ' C3 ,Scarf,high,401,1.00\r\n' +
  'D4,Cap,,402,1.00\r\n'

async function write(
  profile: Partial<ShopFormat>,
  { policy = {}, file = FILE, form = 'csv' as WrittenForm, chunkBytes = 65_536, until = {} } = {},
) {
  const chunks: Buffer[] = []
  const format = {
    profile: shopFormatSchema.parse(profile),
    policy: columnPolicySchema.parse(policy),
    quantityColumn: null,
    form,
  }
  const result = await filterFile(
    inChunks(Buffer.from(file), chunkBytes),
    { categoryReading: null, categories: null, format, signal, ...until },
    async (chunk) => void chunks.push(Buffer.from(chunk)),
  )
  return { text: Buffer.concat(chunks).toString(), ...result }
}

const messages = ({ problems }: Awaited<ReturnType<typeof write>>) =>
  problems.map(({ message, count }) => `${count}: ${message}`)

describe('a file in the form of a shop', () => {
  it.each(['_change', ' _CHANGE '])(
    'hides a column that was hidden as %j and has been renamed since',
    async (hidden) => {
      const file = 'sku,Change_,change2,cost\n1,secret,secret,5\n'
      const { text } = await write({ kind: 'own' }, { policy: { hidden: [hidden] }, file })
      expect(text).toBe('sku,cost\r\n1,5\r\n')
      const shown = await write({ kind: 'own' }, { policy: { hidden: ['cost'] }, file })
      expect(shown.text).toBe('sku,Change_,change2\r\n1,secret,secret\r\n')
    },
  )

  it('has SKU and quantity in the stock profile, with the barcode if wanted', async () => {
    const stock = await write({ kind: 'stock' })
    expect(stock.text).toBe('sku,quantity\n"A,1",12\nB2,3\nC3,0\nD4,0\n')
    expect(stock).toMatchObject({ rowCount: 4, columnCount: 2, columns: ['sku', 'quantity'] })
    expect((await write({ kind: 'stock', hasBarcode: true })).text).toBe(
      'sku,quantity,barcode\n"A,1",12,400\nB2,3,\nC3,0,401\nD4,0,402\n',
    )
  })

  it('is written as each importer expects it', async () => {
    const rows = { policy: { stockTexts: [{ text: 'HIGH', quantity: 50 }] } }
    const text = async (profile: Partial<ShopFormat>) => (await write(profile, rows)).text
    expect(await text({ kind: 'shopify', location: 'Main, Street' })).toBe(
      'Variant SKU,"Inventory Available: Main, Street",Command\n' +
        '"A,1",12,UPDATE\nB2,3,UPDATE\nC3,50,UPDATE\nD4,0,UPDATE\n',
    )
    expect(await text({ kind: 'wooCommerce' })).toBe(
      'SKU,Stock,In stock?\n"A,1",12,1\nB2,3,1\nC3,50,1\nD4,0,0\n',
    )
    expect(await text({ kind: 'google' })).toBe(
      'id\tavailability\nA,1\tin_stock\nB2\tin_stock\nC3\tin_stock\nD4\tout_of_stock\n',
    )
    expect(await text({ kind: 'adobe' })).toBe(
      'source_code,sku,status,quantity\n' +
        'default,"A,1",1,12\ndefault,B2,1,3\ndefault,C3,1,50\ndefault,D4,0,0\n',
    )
    expect(await text({ kind: 'semicolon' })).toBe(
      'Reference;Quantity\nA,1;12\nB2;3\nC3;50\nD4;0\n',
    )
    expect(await text({ kind: 'excel', delimiter: 'semicolon', hasOnlyStock: true })).toBe(
      '\uFEFFsku;quantity\r\nA,1;12\r\nB2;3\r\nC3;50\r\nD4;0\r\n',
    )
  })

  it('keeps all other cells as they are when it has all columns', async () => {
    const { text } = await write({ kind: 'excel' })
    expect(text).toBe(`\uFEFF${FILE}`)
    expect((await write({ kind: 'own' })).text).toBe(FILE)
  })

  it('has the chosen columns under their new names in their order', async () => {
    const columns = [
      { column: 'name', header: 'Title' },
      { column: 'SKU', header: 'Code' },
      { column: 'Qty', header: 'Left' },
    ]
    const profile = { kind: 'own', delimiter: 'tab', columns, skuPrefix: 'x-', buffer: 2 } as const
    expect((await write(profile)).text).toBe(
      'Title\tCode\tLeft\r\nBoot\tx-A,1\t10\r\n"Hat ""new"""\tx-B2\t1\r\nScarf\tx-C3\t0\r\nCap\tx-D4\t0\r\n',
    )
  })

  it('is the same however the source is cut into chunks', async () => {
    const whole = await write({ kind: 'wooCommerce', hasBarcode: true })
    for (const chunkBytes of [1, 2, 7]) {
      expect(await write({ kind: 'wooCommerce' }, { chunkBytes })).toEqual(whole)
    }
  })
})

describe('quantities', () => {
  const quantitiesOf = async (cells: string[], profile: Partial<ShopFormat> = {}) => {
    const rows = cells.map((cell, row) => `${row},"${cell}"\r\n`).join('')
    const { text } = await write({ kind: 'stock', ...profile }, { file: `sku,qty\r\n${rows}` })
    return text
      .split('\n')
      .slice(1, -1)
      .map((line) => Number(line.split(',')[1]))
  }

  it('are whole and never negative, however the source writes them', async () => {
    const cells = ['7', '7.9', '-3', '1 200', '1.234,50', '>100', '50+', '<5', '', '12 pcs']
    expect(await quantitiesOf(cells)).toEqual([7, 7, 0, 1200, 1234, 100, 50, 4, 0, 12])
  })

  it('have at most 15 digits, and no exponent', async () => {
    const cells = ['9'.repeat(22), '9'.repeat(16), '9'.repeat(15), '5 шт', '>=5', '5.', '1’234']
    expect(await quantitiesOf(cells)).toEqual([0, 0, 999_999_999_999_999, 5, 5, 5, 1_234])
  })

  it('are judged before they are written, as CSV and as JSON, and the guess is told', async () => {
    const read = async (last: string, form: WrittenForm) => {
      const file = `sku,qty,weight\r\nA,"12,000",1\r\nB,"${last}",1\r\n`
      const format = {
        profile: shopFormatSchema.parse({ kind: 'stock' }),
        policy: columnPolicySchema.parse({}),
        quantityColumn: null,
        form,
      }
      const judged = await judgeNumbers(() => inChunks(Buffer.from(file)), format, signal)
      const chunks: Buffer[] = []
      const { problems } = await filterFile(
        inChunks(Buffer.from(file)),
        { categoryReading: null, categories: null, format: judged, signal },
        async (chunk) => void chunks.push(Buffer.from(chunk)),
      )
      return [
        Buffer.concat(chunks).toString(),
        problems.map(({ count, message }) => [count, message]),
      ]
    }
    const guess =
      '“12,000” in the column “qty” is read as 12000, because nothing shows whether these are thousands or decimals.'
    expect(await read('0,500', 'csv')).toEqual(['sku,quantity\nA,12\nB,0\n', []])
    expect(await read('0,500', 'json')).toEqual([
      '{"sku":"A","quantity":12}\n{"sku":"B","quantity":0}\n',
      [],
    ])
    expect(await read('1.5', 'csv')).toEqual(['sku,quantity\nA,12000\nB,1\n', []])
    expect(await read('5', 'csv')).toEqual(['sku,quantity\nA,12000\nB,5\n', [[1, guess]]])
  })

  it('are reduced by the buffer, then cut off, then capped', async () => {
    const profile = { buffer: 2, cutOff: 3, cap: 10 }
    expect(await quantitiesOf(['1', '5', '6', '11', '99'], profile)).toEqual([0, 0, 4, 9, 10])
    expect(await quantitiesOf(['5'], { cap: 0 })).toEqual([0])
  })

  it('of texts are those that the supplier has chosen, otherwise 0, which is told', async () => {
    const file = 'sku,stock\r\n1,In Stock\r\n2,low\r\n3,low\r\n'
    const policy = { stockTexts: [{ text: 'in stock', quantity: 20 }] }
    const stock = await write({ kind: 'stock', buffer: 5 }, { file, policy })
    expect(stock.text).toBe('sku,quantity\n1,15\n2,0\n3,0\n')
    expect(messages(stock)).toEqual([
      '2: “low” in the quantity column is no number; 0 was written.',
    ])
  })
})

describe('rows that a shop could not tell apart', () => {
  it('are left out after the first, and told', async () => {
    const file = 'sku,qty\r\nA,1\r\nB,2\r\nA,3\r\n,4\r\n A ,5\r\na,6\r\n'
    const stock = await write({ kind: 'stock' }, { file })
    expect(stock.text).toBe('sku,quantity\nA,1\nB,2\na,6\n')
    expect(stock.rowCount).toBe(3)
    expect(messages(stock)).toEqual([
      '2: Rows that repeat the SKU of a row before were left out.',
      '1: Rows without a SKU were left out.',
    ])
  })

  it('are kept in shop formats with all columns', async () => {
    const file = 'sku,qty\r\nA,1\r\nA,1\r\n'
    expect((await write({ kind: 'excel' }, { file })).rowCount).toBe(2)
  })
})

describe('columns that the supplier hides', () => {
  it('are in no profile', async () => {
    const policy = { hidden: ['cost', ' EAN '] }
    const asIs = await write({}, { policy })
    expect(asIs.text).toBe(
      'SKU,Name,Qty\r\n"A,1",Boot,12\r\nB2,"Hat ""new""",3\r\n C3 ,Scarf,high\r\nD4,Cap,\r\n',
    )
    expect(asIs.headRows[0]).toEqual(['A,1', 'Boot', '12'])
    expect((await write({ kind: 'excel' }, { policy })).text).not.toMatch(/cost|400/i)
    const impossible: Partial<ShopFormat>[] = [
      { kind: 'stock', hasBarcode: true },
      { kind: 'own', columns: [{ column: 'COST', header: 'x' }] },
    ]
    for (const profile of impossible) {
      await expect(write(profile, { policy })).rejects.toMatchObject({ code: 'missing-column' })
    }
  })

  it('are all of those with the same name', async () => {
    const file = 'sku,cost,Cost \r\n1,2,3\r\n'
    expect((await write({}, { file, policy: { hidden: ['COST'] } })).text).toBe('sku\r\n1\r\n')
  })
})

describe('the columns that a shop format needs', () => {
  it('are those that the supplier has named, or else found by their names', async () => {
    const file = 'ref,ean,on hand,reserved\r\n1,2,3,4\r\n'
    expect((await write({ kind: 'stock' }, { file })).text).toBe('sku,quantity\n1,3\n')
    const policy = { roles: { sku: 'EAN', quantity: 'reserved' } }
    expect((await write({ kind: 'stock' }, { file, policy })).text).toBe('sku,quantity\n2,4\n')
  })

  it('are named when the file does not have them', async () => {
    const file = 'title,colour\r\nBoot,red\r\n'
    await expect(write({ kind: 'stock' }, { file })).rejects.toThrow(
      'This profile needs a column with the SKU, which the file does not have.',
    )
    const policy = { roles: { sku: 'gone' } }
    await expect(write({ kind: 'google' }, { policy })).rejects.toThrow('the SKU')
  })
})

describe('a file in JSON', () => {
  it('has one object for each row, with the columns of the profile', async () => {
    const { text } = await write({}, { form: 'json', policy: { hidden: ['cost'] } })
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(rows[1]).toEqual({ SKU: 'B2', Name: 'Hat "new"', Qty: 3, EAN: '' })
    expect(rows).toHaveLength(4)
    expect((await write({ kind: 'adobe' }, { form: 'json' })).text.split('\n')[0]).toBe(
      '{"source_code":"default","sku":"A,1","status":"1","quantity":12}',
    )
  })

  it('has quantities as numbers in every profile, and all else as text', async () => {
    const cells = ['5', ' 12 ', '-2', '1.5', '2,50', '0', '1.234', '<5', 'high', '', '9'.repeat(16)]
    const file = `sku,qty,price,stock\r\n${cells.map((cell) => `7,"${cell}",5,6\r\n`).join('')}`
    const expected = [5, 12, -2, 1.5, 2.5, 0, '1.234', '<5', 'high', '', '9'.repeat(16)]
    const columns = [
      { column: 'sku', header: 'id' },
      { column: 'qty', header: 'count' },
    ]
    const chosen = { roles: { ...NO_ROLES, quantity: 'stock' } }
    const read = async (profile: Partial<ShopFormat>, policy = {}) =>
      (await write(profile, { file, form: 'json', policy })).text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object)
    const all = expected.map((qty) => ({ sku: '7', qty, price: '5', stock: '6' }))
    expect(await read({})).toEqual(all)
    expect(await read({ kind: 'excel' })).toEqual(all)
    expect(await read({ kind: 'own', columns })).toEqual(
      expected.map((count) => ({ id: '7', count })),
    )
    expect((await read({}, chosen))[0]).toEqual({ sku: '7', qty: '5', price: '5', stock: 6 })
    expect((await write({}, { file })).text).toContain('7, 12 ,5,6\r\n')
  })

  it('numbers columns with equal names', async () => {
    const file = 'a,a,a_2,__proto__\r\n1,2,3,4\r\n'
    const { text } = await write({}, { file, form: 'json' })
    expect(text).toBe('{"a":"1","a_2":"2","a_2_2":"3","__proto__":"4"}\n')
  })

  it('is refused when names of columns would make it many times larger', async () => {
    const names = Array.from({ length: 2_000 }, (_, place) => `${place}`.padEnd(200, 'x'))
    const file = `${names.join(',')}\r\n${`${','.repeat(1_999)}\r\n`.repeat(300)}`
    await expect(write({}, { file, form: 'json' })).rejects.toMatchObject({ code: 'too-large' })
  })
})

describe('a sample', () => {
  it('ends after some rows or bytes, without the rest of a row', async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `${row},${row}\r\n`).join('')
    const file = `sku,qty\r\n${rows}`
    const few = await write({ kind: 'stock' }, { file, until: { until: { rows: 10, bytes: 1e9 } } })
    expect(few.isWhole).toBe(false)
    expect(few.headRows[9]).toEqual(['9', '9'])
    const some = await write({}, { file, until: { until: { rows: 1e9, bytes: 1 } } })
    expect(some.rowCount).toBeLessThan(20_000)
    expect((await write({}, { file })).isWhole).toBe(true)
  })
})
