import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { fillSchema } from '../../server/testing/suites/growth/schema-inputs'
import { storeUrlSchema } from './primitives'
import { visibilitySettingsSchema } from './retailer'

/** About the maximum size of a request body. */
const text = `${'a.'.repeat(120_000)} x`

const modules = import.meta.glob<Record<string, unknown>>(['./*.ts', '!./*.test.ts'], {
  eager: true,
})
const schemas = Object.values(modules).flatMap((exported) =>
  Object.entries(exported).filter(
    (entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType,
  ),
)

describe('a text over the maximum length', () => {
  it('is the only error of a store’s address', () => {
    expect(storeUrlSchema.safeParse(text).error?.issues).toMatchObject([
      { code: 'too_big', message: 'Store URL must be at most 2048 characters' },
    ])
  })

  it.each(schemas)('is not checked any further, in any field of %s', (_name, schema) => {
    for (const value of fillSchema(schema, { text, items: 1 })) {
      const issues = schema.safeParse(value).error?.issues ?? []
      const tooLong = issues.filter(({ code }) => code === 'too_big')
      for (const { path } of tooLong) {
        expect(issues.filter((issue) => issue.path.join() === path.join())).toHaveLength(1)
      }
    }
  })
})

describe('a list over the maximum length', () => {
  it('is a single error, even when its items are invalid', () => {
    const categories = Array.from({ length: 50_000 }, () => ({}))
    const { error } = visibilitySettingsSchema.safeParse({ allProducts: true, categories })
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'At most 10000 categories can be chosen',
    ])
  })
})
