import { expect, it } from 'vitest'

import { makeLargeText } from '../../testing/fixtures/large-book'
import { readSheet } from '../../testing/fixtures/workbooks'
import { openDocument } from '../../testing/stages/text-documents'
import { FileError } from '../file-error'
import { createEnoughCheck } from './text-document'
import type { Workbook } from './workbook'

const MB = 1024 * 1024
const READ_FIRST = 16 * MB
const WORKBOOK = { sheets: [] } as unknown as Workbook

it('asks whether a document is enough each time that twice as much has been read', async () => {
  const asked: number[] = []
  let bytes = 0
  const isEnough = createEnoughCheck({
    async isEnough() {
      asked.push(bytes / MB)
      if (asked.length === 1) throw new FileError('wrong-choice', 'Not there')
      return asked.length > 3
    },
  })
  do bytes += MB
  while (!(await isEnough(bytes, () => WORKBOOK)))
  expect(asked).toEqual([16, 32, 64, 128])
})

it.each(['html', 'spreadsheetml'] as const)(
  'reads only the beginning of a large document for a preview, and tells: %s',
  async (form) => {
    let bytes = 0
    const workbook = await openDocument(form, makeLargeText(READ_FIRST + 2 * MB, form), {
      isEnough: async ({ sheets }) => sheets.length > 0,
      onRead: (read) => (bytes = read),
    })
    expect(bytes).toBeGreaterThanOrEqual(READ_FIRST)
    expect(bytes).toBeLessThan(READ_FIRST + MB)
    expect(workbook.sheets).toMatchObject([{ isHidden: false, rows: null, columns: null }])
    const { csv } = await readSheet(workbook)
    expect(csv.startsWith('sku,name,quantity\n1,')).toBe(true)
    expect(csv.length).toBeGreaterThan(2 * MB)
    const messages: string[] = []
    workbook.report?.({ add: (_line, message) => messages.push(message), list: () => [] })
    expect(messages).toEqual([
      'Only the beginning of the file was read for the preview: sheets that follow are not listed.',
    ])
  },
)

it('reads the beginning of a page once more in its encoding', async () => {
  const page = makeLargeText(READ_FIRST + MB, 'html').toString('latin1')
  const bytes = Buffer.from(page.replaceAll('leather', 'Gr\u00f6\u00dfe 42'), 'latin1')
  const workbook = await openDocument('html', bytes, { isEnough: async () => true })
  expect(workbook.encoding).toBe('windows-1252')
  const { csv } = await readSheet(workbook)
  expect(csv.slice(0, 55)).toBe('sku,name,quantity\n1,"Boot & hat, size 1, of Größe 42",1')
})
