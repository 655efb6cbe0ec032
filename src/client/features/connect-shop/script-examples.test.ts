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

  it('read a workbook as one, and its rows as JSON at the address of texts', () => {
    const url = URL.replace('.csv', '.xlsx')
    const [curl, javaScript, python] = listScriptExamples(url).map(({ code }) => code)
    expect(curl).toContain(`--output inventory.xlsx "${url}"`)
    expect(javaScript).toContain(`"${URL}?format=json"`)
    expect(python).toContain(`pandas.read_excel("${url}", dtype=str)`)
  })

  it('are each for another program', () => {
    const programs = listScriptExamples(URL).map(({ program }) => program)
    expect(new Set(programs).size).toBe(programs.length)
  })
})
