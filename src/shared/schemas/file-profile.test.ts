import { describe, expect, it } from 'vitest'

import { fileProfileInput, fileProfileSchema } from './file-profile'

const toProfile = (header: string) => ({ kind: 'own', columns: [{ column: 'sku', header }] })

describe('a column of a retailer’s own file', () => {
  it.each(['_change', '_CHANGE', ' _Change '])(
    'cannot be named %j, which is that of changes, from now on',
    (header) => {
      const { error } = fileProfileInput.safeParse({ id: 1, profile: toProfile(header) })
      expect(error?.issues).toMatchObject([
        {
          path: ['profile', 'columns', 0, 'header'],
          message: 'A column cannot be named _change: files of changes have one',
        },
      ])
      expect(fileProfileSchema.safeParse(toProfile(header)).success).toBe(true)
    },
  )

  it('can have any other name', () => {
    const profile = toProfile('change')
    expect(fileProfileInput.safeParse({ id: 1, profile }).success).toBe(true)
  })
})
