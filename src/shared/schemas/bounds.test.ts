import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { fillSchema } from '../../server/testing/growth/schema-inputs'
import { storeUrlSchema } from './primitives'
import { visibilitySettingsSchema } from './retailer'

/** A body has no more. */
const text = `${'a.'.repeat(120_000)} x`

const modules = import.meta.glob<Record<string, unknown>>(['./*.ts', '!./*.test.ts'], {
  eager: true,
})
const schemas = Object.values(modules).flatMap((exported) =>
  Object.entries(exported).filter(
    (entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType,
  ),
)

describe('a text that is too long', () => {
  it('is what a store’s address is told, and nothing else', () => {
    expect(storeUrlSchema.safeParse(text).error?.issues).toMatchObject([
      { code: 'too_big', message: 'Store URL must be at most 2048 characters' },
    ])
  })

  it.each(schemas)('is judged no further, in any place of %s', (_name, schema) => {
    for (const value of fillSchema(schema, { text, items: 1 })) {
      const issues = schema.safeParse(value).error?.issues ?? []
      const tooLong = issues.filter(({ code }) => code === 'too_big')
      for (const { path } of tooLong) {
        expect(issues.filter((issue) => issue.path.join() === path.join())).toHaveLength(1)
      }
    }
  })
})

describe('a list that is too long', () => {
  it('has one thing wrong with it, whatever its items are', () => {
    const categories = Array.from({ length: 50_000 }, () => ({}))
    const { error } = visibilitySettingsSchema.safeParse({ allProducts: true, categories })
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'At most 10000 categories can be chosen',
    ])
  })
})
