import { describe, expect, it } from 'vitest'

import { visibilitySettingsSchema } from './retailer'

const parse = (categories: string[]) =>
  visibilitySettingsSchema.safeParse({ allProducts: false, categories })
const messages = (categories: string[]) => parse(categories).error?.issues.map((i) => i.message)
const names = (count: number, length: number) =>
  Array.from({ length: count }, (_, place) => `${place}`.padEnd(length, '漢'))

describe('the categories of a retailer', () => {
  it('are at most ten thousand', () => {
    expect(parse(names(10_000, 5)).success).toBe(true)
    expect(messages(names(10_001, 5))).toEqual(['At most 10000 categories can be chosen'])
  })

  it('have at most 256 KB in total', () => {
    expect(parse(names(80, 1_000)).success).toBe(true)
    const tooLong = ['The names of the chosen categories are too long together']
    expect(messages(names(100, 1_000))).toEqual(tooLong)
  })
})
