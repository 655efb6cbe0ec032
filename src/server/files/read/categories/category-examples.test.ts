import { describe, expect, it } from 'vitest'

import { pickExamples } from './category-examples'

const reading = { pathSeparator: '>', listSeparator: null } as const

describe('examples of categories', () => {
  it('are cells that are split, then those that could be, then others', () => {
    const cells = ['Hats', '', 'Indoor/Outdoor', 'Shoes', ' Beta > Deep > X ', 'A|B', 'Bags']
    expect(pickExamples(cells, reading)).toEqual([
      'Beta > Deep > X',
      'Indoor/Outdoor',
      'A|B',
      'Hats',
    ])
  })

  it('are at most four, and short', () => {
    const cells = Array.from({ length: 9 }, (_, index) => `A > ${index}`)
    expect(pickExamples(['x'.repeat(201), ...cells], reading)).toEqual(cells.slice(0, 4))
    expect(pickExamples([' ', 'x'.repeat(201)], reading)).toEqual([])
  })
})
