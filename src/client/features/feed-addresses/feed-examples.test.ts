import { describe, expect, it } from 'vitest'

import { listFeedExamples } from './feed-examples'

const URL = 'https://stock.example/feeds/abc/inventory.csv'

describe('the examples of a feed address', () => {
  it('contain the whole address, in quotes where the program needs them', () => {
    const written: Record<string, string> = { WooCommerce: URL, JSON: `"${URL}?format=json"` }
    for (const { program, code } of listFeedExamples(URL)) {
      expect([program, code]).toEqual([
        program,
        expect.stringContaining(written[program] ?? `"${URL}"`),
      ])
    }
  })

  it('are each for another program', () => {
    const programs = listFeedExamples(URL).map(({ program }) => program)
    expect(new Set(programs).size).toBe(programs.length)
  })
})
