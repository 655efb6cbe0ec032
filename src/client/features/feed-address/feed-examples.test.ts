import { describe, expect, it } from 'vitest'

import { listFeedExamples } from './feed-examples'

const URL = 'https://stock.example/feeds/abc/inventory.csv'

describe('the examples of a feed address', () => {
  it('contain the whole address, in quotes where the program needs them', () => {
    for (const { program, code } of listFeedExamples(URL)) {
      expect([program, code.includes(program === 'WooCommerce' ? URL : `"${URL}"`)]).toEqual([
        program,
        true,
      ])
    }
  })

  it('are each for another program', () => {
    const programs = listFeedExamples(URL).map(({ program }) => program)
    expect(new Set(programs).size).toBe(programs.length)
  })
})
