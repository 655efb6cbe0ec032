import { describe, expect, it } from 'vitest'

import { doubtfulPages, webPages } from '../../testing/fixtures/web-pages'
import { openDocument } from '../../testing/stages/text-documents'

const kindsOf = (pages: Record<string, string>) => Object.entries(pages)

describe('no table is found on', () => {
  it.each(kindsOf(webPages))('%s', async (_what, page) => {
    await expect(openDocument('html', page)).rejects.toMatchObject({
      name: 'FileError',
      code: 'not-csv-html',
      message: expect.stringContaining('The file is a web page (HTML)'),
    })
  })
})

describe('only when it is chosen, a table is read of', () => {
  it.each(kindsOf(doubtfulPages))('%s', async (_what, page) => {
    const { doubt, sheets } = await openDocument('html', page)
    expect(doubt).toMatchObject({
      code: 'not-csv-html',
      message: expect.stringMatching(/nothing shows that “.+” in it is an inventory/),
    })
    expect(sheets.length).toBeGreaterThan(0)
  })
})
