import { describe, expect, it } from 'vitest'

import { toExample } from './examples'

describe('the example of a body', () => {
  const auth = { oneOf: [{ properties: { type: { const: 'none' } }, required: ['type'] }] }
  const properties = {
    url: { type: 'string' },
    type: { enum: ['URL'] },
    isActive: { type: 'boolean' },
    supplierId: { anyOf: [{ type: 'integer', exclusiveMinimum: 0 }, { type: 'null' }] },
    categories: { type: 'array' },
    auth,
  }

  it('has the required fields', () => {
    expect(toExample({ properties, required: Object.keys(properties) })).toEqual({
      url: 'https://example.com/inventory.csv',
      type: 'URL',
      isActive: true,
      supplierId: 1,
      categories: [],
      auth: { type: 'none' },
    })
  })

  it('has the first field when none is required', () => {
    expect(toExample({ properties })).toEqual({ url: 'https://example.com/inventory.csv' })
  })
})
