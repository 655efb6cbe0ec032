import { readFile } from 'node:fs/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import { createPricing } from '../../../shared/pricing'
import { openMergedStage } from '../../testing/stages/merged-stage'
import { readGtin } from './gtin'

const EAN = '4006381333931'
const OTHER = '5901234123457'

let stage: Awaited<ReturnType<typeof openMergedStage>>
beforeAll(async () => {
  stage = await openMergedStage()
})
afterAll(() => stage.close())

describe('a GTIN', () => {
  it('is the same with and without zeros before it, and with spaces in it', () => {
    const forms = ['036000291452', '0036000291452', '00036000291452', ' 0 36000-29145 2 ']
    expect(forms.map(readGtin)).toEqual(Array.from(forms, () => '00036000291452'))
    expect(readGtin('96385074')).toBe('00000096385074')
    expect(readGtin('0000096385074')).toBe('00000096385074')
  })

  it('has a right check digit, and is not of a range that companies use as they like', () => {
    const others = ['4006381333932', '400638133393', '', 'abc', '4.00638E+12', '0000000000000']
    const ownNumbers = ['2000000000008', '0200000000004', '0400000000002', '20000004', '00000017']
    expect([...others, ...ownNumbers].map(readGtin)).toEqual(
      Array.from({ length: others.length + ownNumbers.length }, () => undefined),
    )
  })
})

describe('price rules', () => {
  const price = (cost: number, ending: number | null, ...tiers: [string, string, string][]) =>
    createPricing({
      tiers: tiers.map(([from, percent, fixed]) => ({ from, percent, fixed })),
      ending,
    })(cost * 1_000_000)

  it('are exact, where binary fractions are not', () => {
    expect(price(1.1, null, ['0', '10', '0'])).toBe('1.21')
    expect(price(1.15, null, ['0', '0', '0'])).toBe('1.15')
    expect(price(0.5, null, ['0', '1', '0'])).toBe('0.51')
    expect(price(100, 99, ['0', '25', '4.99'])).toBe('129.99')
    expect(price(99_999_999, null, ['0', '999.99', '99999999.9999'])).toBe('1199989989.00')
  })

  it('round up to the next ending, and are never below the cost', () => {
    expect(price(10, 99, ['0', '0', '0'])).toBe('10.99')
    expect(price(10.99, 99, ['0', '0', '0'])).toBe('10.99')
    expect(price(10.991, 99, ['0', '0', '0'])).toBe('11.99')
    expect(price(10, 99, ['0', '-50', '0'])).toBe('10.99')
    expect(price(10.001, null, ['0', '-1', '0'])).toBe('10.01')
    // The exact price is less than a millionth above 10.99.
    expect(price(10.988902, 99, ['0', '0.01', '0'])).toBe('11.99')
    expect(price(9.99, 99, ['0', '10.01', '0'])).toBe('10.99')
  })

  it('are those of the highest tier that the cost reaches', () => {
    const tiers: [string, string, string][] = [
      ['0', '50', '0'],
      ['10', '20', '0'],
      ['99.99', '10', '1'],
    ]
    expect([9.99, 10, 99.98, 99.99].map((cost) => price(cost, null, ...tiers))).toEqual([
      '14.99',
      '12.00',
      '119.98',
      '110.99',
    ])
  })
})

describe('a merged file', () => {
  const north = { prefix: 'N-', supplier: 'North' }
  const south = { prefix: 'S-', supplier: 'South' }

  it('has one row for what suppliers share, and never one for two items of one supplier', async () => {
    const csv = `sku,ean,qty,name\r\nA,${EAN},1,Boot\r\nB,${EAN},2,Cap\r\nC,,3,"Hat, red"\r\nC,,4,Again\r\n`
    const merged = await stage.merge(
      [
        { ...north, csv },
        { ...south, csv: `code,barcode,stock\r\n7,0${EAN},5\r\n8,,6\r\n` },
      ],
      { quantity: 'sum' },
    )
    expect(merged.columns).toEqual([
      'sku',
      'barcode',
      'quantity',
      'supplier',
      'supplier_sku',
      'name',
    ])
    expect(merged.rows).toEqual([
      [`0${EAN}`, EAN, '6', 'North', 'A', 'Boot'],
      ['N-B', EAN, '2', 'North', 'B', 'Cap'],
      ['N-C', '', '3', 'North', 'C', 'Hat, red'],
      ['S-8', '', '6', 'South', '8', ''],
    ])
    expect(merged.result).toMatchObject({ rowCount: 4, sharedCount: 1, unmatchedCount: 3 })
    expect(merged.partProblems[0]).toEqual([
      expect.objectContaining({ message: expect.stringContaining('a row of their own'), count: 1 }),
      expect.objectContaining({ message: expect.stringContaining('repeat the SKU'), count: 1 }),
    ])
    expect(merged.unmatched).toEqual(
      expect.arrayContaining([
        ['N-', 'B'],
        ['N-', 'C'],
        ['S-', '8'],
      ]),
    )
  })

  it('takes the cheapest supplier with stock, and compares no costs of different currencies', async () => {
    const part = (rows: string) => `sku,ean,qty,cost,currency,name\r\n${rows}`
    const merged = await stage.merge(
      [
        { ...north, csv: part(`1,${EAN},1,"9,50",EUR,Boot\r\n2,${OTHER},1,5.00,USD,Cap\r\n`) },
        { ...south, csv: part(`1,${EAN},4,8.99,EUR,\r\n2,${OTHER},9,4.00,EUR,\r\n`) },
        { prefix: 'W-', csv: part(`1,${EAN},0,1.00,EUR,\r\n`) },
      ],
      { quantity: 'cheapest' },
    )
    const [boot, cap] = [merged.items.get(`0${EAN}`), merged.items.get(`0${OTHER}`)]
    expect(boot).toMatchObject({ quantity: '4', cost: '8.99', supplier: 'South', name: 'Boot' })
    expect(cap).toMatchObject({ quantity: '1', cost: '5.00', currency: 'USD', supplier: 'North' })
    expect(merged.result.problems).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('different currencies'),
        count: 1,
      }),
    ])
    const unknown = await stage.merge(
      [
        { ...north, csv: `sku,ean,qty,cost\r\n1,${EAN},1,9\r\n` },
        { ...south, csv: `sku,ean,qty,cost\r\n1,${EAN},1,8\r\n` },
      ],
      { quantity: 'cheapest' },
    )
    expect(unknown.items.get(`0${EAN}`)).toMatchObject({ supplier: 'North' })
    expect(unknown.result.problems[0]?.message).toContain('no currency is known')
  })

  it.each([
    ['a sign of one', '€ 8.00', '', null, 'EUR'],
    ['a code beside a sign', '$8.00 USD', '', 'EUR', 'USD'],
    ['a sign of several, which the supplier’s is', '$8.00', '', 'CAD', 'CAD'],
    ['a sign of several, which the supplier’s is not', '$8.00', '', 'EUR', ''],
    ['a sign of several alone', '¥800', '', null, ''],
    ['a sign of which hardly anybody knows', '₳8.00', '', 'EUR', ''],
    ['letters that are no currency', '8.00 NET', '', 'EUR', ''],
    ['none', '8.00', '', 'EUR', 'EUR'],
    ['a column, before a sign', '€ 8.00', 'CHF', 'EUR', 'CHF'],
    ['a column, as a sign', '8.00', '£', null, 'GBP'],
    ['a column, by its name', '8.00', 'US Dollar', 'EUR', ''],
  ])('names the currency of costs: %s', async (_what, cost, named, currency, expected) => {
    const csv = `sku,ean,qty,cost,currency\r\n1,${EAN},1,${cost},${named}\r\n`
    const other = `sku,ean,qty,cost\r\n1,${EAN},1,€ 9.00\r\n`
    const rules = { quantity: 'cheapest' } as const
    const alone = await stage.merge([{ ...north, csv, currency }], rules)
    expect(alone.items.get(`0${EAN}`)?.currency).toBe(expected)
    // What is not known is told, and never compared.
    const told = alone.result.problems.map(({ message }) => message).join()
    expect(told.includes('a currency that is not known')).toBe(expected === '')
    const both = await stage.merge(
      [
        { ...south, csv: other },
        { ...north, csv, currency },
      ],
      rules,
    )
    expect(both.items.get(`0${EAN}`)?.supplier).toBe(expected === 'EUR' ? 'North' : 'South')
  })

  it('counts a part that is too old as 0, and shows no column that is hidden', async () => {
    const csv = `sku,ean,qty,cost,name\r\n1,${EAN},5,3.00,Boot\r\n`
    const merged = await stage.merge([{ ...north, csv, isStale: true, hidden: ['cost'] }])
    expect(merged.items.get(`0${EAN}`)).toMatchObject({ quantity: '0', name: 'Boot' })
    expect(merged.columns).not.toContain('cost')
    expect(merged.bytes.toString()).not.toContain('3.00')
  })

  it('is matched by a matching file that was filled in, by SKU and by GTIN', async () => {
    const parts = [
      { ...north, csv: `sku,ean,qty\r\nA,,1\r\nB,${EAN},2\r\n` },
      { ...south, csv: `sku,ean,qty\r\nX,,3\r\nY,${EAN},4\r\n` },
    ]
    const matching = `prefix,supplier_sku,gtin,sku\r\nN-,A,,mine\r\nS-,X,,mine\r\nN-,B,${EAN},boot\r\nS-,Q,,\r\n`
    const { rows, result } = await stage.merge(parts, { quantity: 'sum' }, matching)
    expect(rows.map(([sku, , quantity]) => [sku, quantity])).toEqual([
      ['boot', '6'],
      ['mine', '4'],
    ])
    expect(result.unmatchedCount).toBe(0)
  })

  it('has the same bytes for the same parts, and a key file that is right', async () => {
    const rows = Array.from({ length: 3_000 }, (_, row) => `K${row},${row % 7},"n, ${row}"`)
    const toCsv = (lines: string[]) => `sku,qty,name\r\n${lines.join('\r\n')}\r\n`
    const merge = (lines: string[]) => stage.merge([{ ...north, csv: toCsv(lines) }])
    const one = await merge(rows)
    expect((await merge(rows.toReversed())).bytes.equals(one.bytes)).toBe(true)
    const other = await merge(['new,1,x', ...rows.slice(10).with(0, 'K10,99,"n, 10"')])
    const keyed = async ({ drafts }: typeof one) => ({
      file: drafts.rows,
      keys: drafts.keys,
      keysBytes: (await readFile(drafts.keys)).length,
    })
    const naming = { roles: AUTOMATIC_ROLES, quantityColumn: null, arePaths: false }
    const files = { older: await keyed(one), newer: await keyed(other) }
    const found = await stage.run('comparison', {
      ...files,
      keyColumn: 'sku',
      hasQuantities: true,
      naming,
    })
    expect(found.difference).toMatchObject({ added: 1, removed: 10, changed: 1, unchanged: 2_989 })
  })

  it('is sorted beyond what fits into memory', async () => {
    const name = 'x'.repeat(20_000)
    const lines = Array.from({ length: 2_000 }, (_, row) => `K${row},${row},${name}`)
    const { rows, result } = await stage.merge([
      { ...north, csv: `sku,qty,name\r\n${lines.join('\r\n')}\r\n` },
      {
        ...south,
        csv: `sku,qty,name\r\n1,1,${'y'.repeat(150_000)}\r\n2,2,${'z'.repeat(70_000)}\r\n`,
      },
    ])
    expect(result.rowCount).toBe(2_001)
    expect(new Set(rows.map(([sku]) => sku)).size).toBe(2_001)
    expect(rows.find(([sku]) => sku === 'S-2')?.at(-1)).toHaveLength(70_000)
  })

  it('may have as many columns as any file, with the longest names', async () => {
    const toName = (sign: string) => (_: unknown, place: number) => `${place} `.padEnd(200, sign)
    for (const sign of ['\u20AC', '\u0001']) {
      const names = Array.from({ length: 1_990 }, toName(sign))
      const csv = `sku,qty,${names.join(',')}\r\n1,1${','.repeat(names.length)}\r\n`
      const { columns } = await stage.merge([{ ...north, csv }])
      expect(columns.filter((name) => names.includes(name))).toHaveLength(names.length)
    }
  })

  it('needs a quantity, and an SKU or a barcode', async () => {
    const refusal = (csv: string) => stage.merge([{ ...north, csv }])
    await expect(refusal('sku,name\r\n1,Boot\r\n')).rejects.toThrow('a column with the quantity')
    await expect(refusal('qty,name\r\n1,Boot\r\n')).rejects.toThrow('the SKU or the barcode')
    const chosen = { ...north, csv: 'sku,qty\r\n1,1\r\n', costColumn: 'dealer' }
    await expect(stage.merge([chosen])).rejects.toThrow('the column “dealer”')
  })
})
