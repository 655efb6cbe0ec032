import { describe, expect, it } from 'vitest'

import { retailerPriceRulesSchema } from '../../../shared/schemas/price-rules'
import { inChunks } from '../../testing/fixtures/file-fixtures'
import { filterFile } from '../filter'
import { judgeCosts } from './judge-costs'
import type { Pricing } from './pricing'

const { signal } = new AbortController()
const QUARTER = { tiers: [{ from: '0', percent: '25', fixed: '1' }] }
const BY_COST = {
  tiers: [
    { from: '0', percent: '50' },
    { from: '100', percent: '12.5', fixed: '0.005' },
  ],
  ending: 99,
}

type Given = Partial<Omit<Pricing, 'rules'>> & {
  rules?: object
  categories?: string[]
  chunkBytes?: number
}

/** Writes a file with the prices that rules make. */
async function price(file: string, given: Given = {}) {
  const { rules = QUARTER, categories = null, chunkBytes = 65_536, ...choices } = given
  const read = () => inChunks(Buffer.from(file), chunkBytes)
  const roles = { price: null, cost: null, currency: null }
  const wanted = { rules: retailerPriceRulesSchema.parse(rules), roles, decimalMark: null }
  const pricing = await judgeCosts(read, { ...wanted, ...choices }, signal)
  const categoryReading = { column: 'category', pathSeparator: null, listSeparator: null }
  const chunks: Buffer[] = []
  const result = await filterFile(
    read(),
    { categoryReading, categories, pricing, format: null, signal },
    async (chunk) => void chunks.push(Buffer.from(chunk)),
  )
  const told = result.problems.map(({ message, count }) => `${count}: ${message}`)
  return { text: Buffer.concat(chunks).toString(), told, result }
}

/** The price of each of these costs. */
async function pricesOf(costs: string[], given: Given = {}) {
  const rows = costs.map((cost, row) => `${row},"${cost}"\r\n`).join('')
  const { text, told } = await price(`sku,cost\r\n${rows}`, given)
  const prices = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[1])
  return { prices, told }
}

describe('prices that are made of costs', () => {
  it('take the place of those of the file, while the costs are left out', async () => {
    const file =
      'sku,"Cost",name,Price,qty\n"A,1","10.00","Boot ""new""",€ 99,4\nB,2.20,Hat,88.00,\nC,0.01,,,1'
    const { text, told, result } = await price(file)
    expect(text).toBe('sku,name,Price,qty\n"A,1","Boot ""new""",13.50,4\nB,Hat,3.75,\nC,,1.01,1')
    expect(told).toEqual([])
    expect(result).toMatchObject({ columns: ['sku', 'name', 'Price', 'qty'], columnCount: 4 })
    expect(result.headRows[0]).toEqual(['A,1', 'Boot "new"', '13.50', '4'])
    for (const chunkBytes of [1, 7]) {
      expect((await price(file, { chunkBytes })).text).toBe(text)
    }
  })

  it('are in a new last column of a file without prices, and costs stay if they are shown', async () => {
    const file = 'sku,cost\r\nA,10\r\n'
    expect((await price(file)).text).toBe('sku,price\r\nA,13.50\r\n')
    const shown = await price(file, { rules: { ...QUARTER, showsCost: true } })
    expect(shown.text).toBe('sku,cost,price\r\nA,10,13.50\r\n')
    // It has one column then, in which a line without anything would be no row.
    expect((await price('cost\r\n10\r\nx\r\n')).text).toBe('price\r\n13.50\r\n""\r\n')
  })

  it('are exact by tiers of cost, end as they are to, and are never below the cost', async () => {
    const { prices } = await pricesOf(['99.99', '100', '100.01', '0.33', '12345678.123456'], {
      rules: BY_COST,
    })
    expect(prices).toEqual(['149.99', '112.99', '112.99', '0.99', '13888887.99'])
    const less = { tiers: [{ from: '0', percent: '-30' }] }
    expect((await pricesOf(['10', '9.9951'], { rules: less })).prices).toEqual(['10.00', '10.00'])
    // 1.1 * 1.15 is 1.2649999999999999 in binary numbers.
    const tiers = [{ from: '0', percent: '15' }]
    expect((await pricesOf(['1.1'], { rules: { tiers } })).prices).toEqual(['1.27'])
  })

  it('are empty where the cost cannot be read, which is told without its text', async () => {
    const long = `12${' '.repeat(70)}34`
    const bad = ['', ' ', 'ask', '>5', '5 pcs', '-3', '123456789', '1.1234567', '3/4', long]
    const { prices, told } = await pricesOf(['10.50', ...bad])
    expect(prices).toEqual(['14.13', ...bad.map(() => '')])
    expect(told).toEqual([
      '2: Rows without a cost have no price, because it is made of the cost.',
      '8: Rows whose cost is no amount have no price, because it is made of the cost.',
    ])
  })

  it('are empty for all rows of a file without a column of costs', async () => {
    const { text, told } = await price('sku,price\r\nA,10\r\nB,20\r\n')
    expect(text).toBe('sku,price\r\nA,\r\nB,\r\n')
    expect(told).toEqual(['2: The file has no column with the cost, of which prices are made.'])
  })
})

describe('a cost that may be thousands or have decimals', () => {
  it('has no price unless the file or its supplier shows which', async () => {
    const { prices, told } = await pricesOf(['1.234', '10'])
    expect(prices).toEqual(['', '13.50'])
    expect(told).toEqual([
      '1: Rows have no price where it is not certain whether their cost is thousands or has decimals.',
    ])
    expect((await pricesOf(['1.234'], { decimalMark: 'point' })).prices).toEqual(['2.54'])
    expect((await pricesOf(['1.234', '2,5'])).prices).toEqual(['1543.50', '4.13'])
    expect((await pricesOf(['1.234', '2.5', '2,5'])).prices).toEqual(['', '4.13', '4.13'])
  })

  it('is read as rows show it that the retailer does not see, which are not counted', async () => {
    const file = 'sku,category,cost\r\nA,Shoes,"1.234"\r\nB,Hats,"2,5"\r\nC,Hats,none\r\n'
    const { text, told } = await price(file, { categories: ['Shoes'] })
    expect(text).toBe('sku,category,price\r\nA,Shoes,1543.50\r\n')
    expect(told).toEqual([])
  })
})

describe('costs in several currencies', () => {
  it('have prices only in the one that most of the file have', async () => {
    const { prices, told } = await pricesOf(['€ 10', '10 EUR', '10 USD', '10'])
    expect(prices).toEqual(['13.50', '13.50', '', ''])
    expect(told).toEqual(['2: Rows whose cost is in another currency than most have no price.'])
    expect((await pricesOf(['€ 10', '10'])).prices).toEqual(['13.50', '13.50'])
  })

  it('are told apart by the column of currencies too', async () => {
    const file = 'sku,cost,currency\r\nA,$ 10,USD\r\nB,10,EUR\r\nC,€ 10,USD\r\nD,10,usd\r\n'
    expect((await price(file)).text).toBe(
      'sku,currency,price\r\nA,USD,13.50\r\nB,EUR,\r\nC,USD,\r\nD,usd,13.50\r\n',
    )
  })
})

describe('the columns of costs and prices', () => {
  it('are those that the supplier has chosen', async () => {
    const file = 'sku,VK,EK,cost\r\nA,9,10,7\r\n'
    const roles = { price: 'vk', cost: 'ek', currency: null }
    // One that would be found as the cost is left out as well.
    expect((await price(file, { roles })).text).toBe('sku,VK\r\nA,13.50\r\n')
  })

  it('are found again when chosen ones are gone, but nothing is made of another cost', async () => {
    const file = 'sku,price,cost\r\nA,9,10\r\n'
    const roles = { price: 'VK', cost: 'EK', currency: null }
    const { text, told } = await price(file, { roles })
    expect(text).toBe('sku,price\r\nA,\r\n')
    expect(told).toHaveLength(1)
    const without = await price('sku,EK\r\nA,10\r\n', { roles })
    expect(without.text).toBe('sku,VK\r\nA,13.50\r\n')
  })

  it('are left out under each column of their names, and may be one', async () => {
    const file = 'sku,cost,Cost,price,PRICE\r\nA,10,11,12,13\r\n'
    expect((await price(file)).text).toBe('sku,price\r\nA,13.50\r\n')
    const roles = { price: null, cost: 'price', currency: null }
    expect((await price('sku,price\r\nA,10\r\n', { roles })).text).toBe('sku,price\r\nA,13.50\r\n')
  })
})
