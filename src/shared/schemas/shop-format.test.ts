import { describe, expect, it } from 'vitest'

import { shopFormatInput, shopFormatSchema } from './shop-format'

const toFormat = (header: string) => ({ kind: 'own', columns: [{ column: 'sku', header }] })

describe('a column of a retailer’s own file', () => {
  it.each(['_change', '_CHANGE', ' _Change '])(
    'cannot be named %j, which is that of changes, from now on',
    (header) => {
      const { error } = shopFormatInput.safeParse({ id: 1, profile: toFormat(header) })
      expect(error?.issues).toMatchObject([
        {
          path: ['profile', 'columns', 0, 'header'],
          message: 'A column cannot be named _change: files of changes have one',
        },
      ])
      expect(shopFormatSchema.safeParse(toFormat(header)).success).toBe(true)
    },
  )

  it('can have any other name', () => {
    const profile = toFormat('change')
    expect(shopFormatInput.safeParse({ id: 1, profile }).success).toBe(true)
  })
})
