import { describe, expect, it } from 'vitest'
import type { z } from 'zod'

import { createSupplierInput, updateCompanyProfileInput, updateSupplierInput } from './supplier'

const account = {
  username: 'acme',
  password: 'correct horse',
  companyName: 'Acme Ltd',
  contactEmail: 'stock@acme.example',
}

/** The messages of an input's problems, each with the path of its field. */
const problemsOf = (schema: z.ZodType, input: object) =>
  schema.safeParse(input).error?.issues.map(({ path, message }) => [path.join('.'), message])

const MIXED = 'Username must keep to the letters of one script, such as Latin or Cyrillic'

describe('a new supplier', () => {
  it('may have ten retailers by default', () => {
    expect(createSupplierInput.parse(account)).toEqual({ ...account, maxRetailers: 10 })
  })

  it('drops fields that only the server sets', () => {
    const more = {
      role: 'SUPER_ADMIN',
      isActive: false,
      id: 77,
      googleUid: 'x',
      displayName: 'Boss',
      createdAt: '2001-01-01T00:00:00.000Z',
    }
    const input = { ...account, maxRetailers: 25 }
    expect(createSupplierInput.parse({ ...input, ...more })).toEqual(input)
  })

  it.each([
    ['companyName', ' ', 'Company name is required'],
    ['companyName', undefined, 'Company name is required'],
    ['contactEmail', 'nobody', 'Invalid email address'],
    ['contactEmail', undefined, 'Invalid email address'],
    ['password', '', 'Password must be at least 6 characters'],
    ['password', undefined, 'Password is required'],
    ['username', '   ', 'Username is required'],
    ['username', 'a\u0000b', 'Username contains characters that are not allowed'],
    ['username', 'a\u202Eb', 'Username contains characters that are not allowed'],
    ['username', 'acme\u200B', 'Username contains characters that cannot be seen'],
    ['username', 'асme', MIXED],
    ['username', 'x'.repeat(101), 'Username must be at most 100 characters'],
    ['maxRetailers', 0, 'Max retailers must be at least 1'],
    ['maxRetailers', '10', 'Max retailers must be a number'],
    ['maxRetailers', 1.5, 'Max retailers must be a whole number'],
    ['maxRetailers', null, 'Max retailers must be a number'],
  ])('is refused when its %s is %j, with the reason', (field, value, message) => {
    const problems = problemsOf(createSupplierInput, { ...account, [field]: value })
    expect(problems).toEqual([[field, message]])
  })
})

describe('a change of a supplier', () => {
  it.each([
    [{ companyName: 'Renamed' }],
    [{ contactEmail: 'new@acme.example' }],
    [{ maxRetailers: 3 }],
    [{ isActive: false }],
    [{}],
  ])('may be %j', (changes) => {
    expect(updateSupplierInput.parse({ id: 1, ...changes })).toEqual({ id: 1, ...changes })
  })

  it('drops the username, the role and the password', () => {
    const more = { username: 'other', role: 'SUPER_ADMIN', password: 'another horse' }
    expect(updateSupplierInput.parse({ id: 1, ...more })).toEqual({ id: 1 })
  })

  it.each([
    ['isActive', 'false', 'isActive must be true or false'],
    ['isActive', null, 'isActive must be true or false'],
    ['companyName', '', 'Company name is required'],
    ['maxRetailers', -1, 'Max retailers must be at least 1'],
  ])('is refused when the %s is %j, with the reason', (field, value, message) => {
    expect(problemsOf(updateSupplierInput, { id: 1, [field]: value })).toEqual([[field, message]])
  })
})

describe('a company profile', () => {
  const profile = {
    companyName: 'Acme Ltd',
    publicEmail: 'help@acme.example',
    publicPhone: '+44 (0)20 7946-0000',
    publicWebsite: 'acme.example',
  }

  it('may show nothing but the name', () => {
    const input = { ...profile, publicEmail: '', publicPhone: '', publicWebsite: '' }
    expect(updateCompanyProfileInput.parse(profile)).toEqual(profile)
    expect(updateCompanyProfileInput.parse(input)).toEqual({
      companyName: 'Acme Ltd',
      publicEmail: null,
      publicPhone: null,
      publicWebsite: null,
    })
  })

  it.each([
    ['companyName', '', 'Company name is required'],
    ['publicEmail', 'nobody', 'Invalid email address'],
    ['publicPhone', 'call us', 'Enter a phone number, for example +44 20 7946 0000'],
    ['publicPhone', '1'.repeat(41), 'Phone must be at most 40 characters'],
    ['publicWebsite', 'javascript:alert(1)', 'Enter a web address, for example shop.example'],
    ['publicWebsite', 'x'.repeat(2_049), 'Website must be at most 2048 characters'],
  ])('is refused when its %s is %j, with the reason', (field, value, message) => {
    expect(problemsOf(updateCompanyProfileInput, { ...profile, [field]: value })).toEqual([
      [field, message],
    ])
  })
})
