import { describe, expect, it } from 'vitest'

import { listScriptExamples } from './script-examples'

const URL = 'https://stock.example/feeds/abc/inventory.csv'

describe('the examples of a script', () => {
  it('contain the whole address in quotes', () => {
    for (const { program, code } of listScriptExamples(URL)) {
      const written = program === 'JavaScript' ? `"${URL}?format=json"` : `"${URL}"`
      expect([program, code]).toEqual([program, expect.stringContaining(written)])
    }
  })

  it('are each for another program', () => {
    const programs = listScriptExamples(URL).map(({ program }) => program)
    expect(new Set(programs).size).toBe(programs.length)
  })
})
