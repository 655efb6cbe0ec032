import { describe, expect, it } from 'vitest'
import type { z } from 'zod'

import {
  createRetailerInput,
  deliveryPreferencesInput,
  storeDetailsInput,
  updateRetailerInput,
  visibilitySettingsSchema,
} from './retailer'

const parse = (categories: string[]) =>
  visibilitySettingsSchema.safeParse({ allProducts: false, categories })
const messages = (categories: string[]) => parse(categories).error?.issues.map((i) => i.message)
const names = (count: number, length: number) =>
  Array.from({ length: count }, (_, place) => `${place}`.padEnd(length, '漢'))

/** The messages of an input's problems, each with the path of its field. */
const problemsOf = (schema: z.ZodType, input: object) =>
  schema.safeParse(input).error?.issues.map(({ path, message }) => [path.join('.'), message])

describe('a new retailer', () => {
  const input = { userId: 1, storeName: 'Corner Shop' }

  it('sees all products by default', () => {
    expect(createRetailerInput.parse(input)).toEqual({
      ...input,
      visibilitySettings: { allProducts: true, categories: [] },
    })
  })

  it.each([
    ['storeName', '', 'Store name is required'],
    ['storeName', undefined, 'Store name is required'],
    ['storeUrl', 'javascript:alert(1)', 'Enter a web address, for example shop.example'],
    ['userId', undefined, 'The id is not valid'],
    ['userId', null, 'The id is not valid'],
    ['userId', '1', 'The id is not valid'],
    ['userId', 1.5, 'The id is not valid'],
    ['userId', 0, 'The id is not valid'],
  ])('is refused when its %s is %j, with the reason', (field, value, message) => {
    const problems = problemsOf(createRetailerInput, { ...input, [field]: value })
    expect(problems).toEqual([[field, message]])
  })

  it.each([
    [{ allProducts: 'false', categories: [] }, 'allProducts', 'allProducts must be true or false'],
    [{ allProducts: false }, 'categories', 'categories must be a list of names'],
  ])('is refused with the visibility settings %j', (visibilitySettings, field, message) => {
    const problems = problemsOf(createRetailerInput, { ...input, visibilitySettings })
    expect(problems).toEqual([[`visibilitySettings.${field}`, message]])
  })
})

describe('the details of a store', () => {
  const store = { id: 1, storeName: 'Shop' }

  it('drop fields that are not about the store', () => {
    const more = { supplierId: 1, syncFrequency: 0 }
    expect(storeDetailsInput.parse({ ...store, ...more })).toEqual(store)
  })

  it('keep the address as typed, without the spaces around it', () => {
    const { storeUrl } = storeDetailsInput.parse({ ...store, storeUrl: ' Shop.Example/a ' })
    expect(storeUrl).toBe('Shop.Example/a')
  })

  it.each(['', null, undefined])('may have the address %j', (storeUrl) => {
    expect(storeDetailsInput.parse({ ...store, storeUrl }).storeUrl).toBe(storeUrl)
  })

  it.each([
    ['storeName', '  ', 'Store name is required'],
    ['storeUrl', 'javascript:alert(1)', 'Enter a web address, for example shop.example'],
  ])('are refused when the %s is %j, with the reason', (field, value, message) => {
    const problems = problemsOf(storeDetailsInput, { ...store, [field]: value })
    expect(problems).toEqual([[field, message]])
  })
})

describe('the settings of a retailer', () => {
  it.each([
    [{ syncFrequency: 0 }],
    [{ syncFrequency: 525_600 }],
    [{ connectionType: 'URL', fileFormat: 'CSV' }],
    [{}],
  ])('may be %j', (changes) => {
    expect(updateRetailerInput.parse({ id: 1, ...changes })).toEqual({ id: 1, ...changes })
  })

  it.each([
    ['syncFrequency', -1, 'Sync frequency must be at least 0'],
    ['syncFrequency', 525_601, 'Sync frequency must be at most 525600 minutes'],
    ['syncFrequency', 1.5, 'Sync frequency must be a whole number of minutes'],
    ['syncFrequency', '60', 'Sync frequency must be a number of minutes'],
    ['syncFrequency', null, 'Sync frequency must be a number of minutes'],
    ['connectionType', 'FTP', 'FTP is coming soon: only URL can be used today'],
    ['fileFormat', 'XML', 'XML is coming soon: only CSV can be used today'],
  ])('are refused when the %s is %j, with the reason', (field, value, message) => {
    expect(problemsOf(updateRetailerInput, { id: 1, [field]: value })).toEqual([[field, message]])
  })
})

describe('delivery preferences', () => {
  const preferences = { id: 1, connectionType: 'URL', fileFormat: 'CSV' }

  it('may be a URL and CSV', () => {
    expect(deliveryPreferencesInput.parse(preferences)).toEqual(preferences)
  })

  it.each([
    ['connectionType', 'FTP', 'FTP is coming soon: only URL can be used today'],
    ['connectionType', 'EMAIL', 'EMAIL is coming soon: only URL can be used today'],
    ['connectionType', 'DATABASE', 'DATABASE is coming soon: only URL can be used today'],
    ['connectionType', 'PIGEON', 'Type must be one of URL, FTP, EMAIL, DATABASE'],
    ['fileFormat', 'EXCEL', 'EXCEL is coming soon: only CSV can be used today'],
    ['fileFormat', 'XML', 'XML is coming soon: only CSV can be used today'],
    ['fileFormat', 'csv', 'File format must be one of CSV, EXCEL, XML'],
    ['fileFormat', undefined, 'File format must be one of CSV, EXCEL, XML'],
  ])('are refused when the %s is %j, with the reason', (field, value, message) => {
    const problems = problemsOf(deliveryPreferencesInput, { ...preferences, [field]: value })
    expect(problems).toEqual([[field, message]])
  })
})

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
