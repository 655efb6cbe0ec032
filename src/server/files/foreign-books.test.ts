import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import {
  compareSheets,
  type ForeignBook,
  judge,
  judgeChosen,
  type Verdict,
} from '../testing/stages/foreign-books'

/** Some of the workbooks and archives that tools/foreign-tables/write-books.py writes. */
const books = JSON.parse(
  readFileSync(new URL('../testing/fixtures/foreign-books.json', import.meta.url), 'utf8'),
) as (ForeignBook & { bytes: string })[]

const bytesOf = ({ bytes }: { bytes: string }) => Buffer.from(bytes, 'base64')
const isOldExcel = ({ writer }: ForeignBook) => /^LibreOffice xls\b/.test(writer)

describe('workbooks and archives written by other programs', () => {
  it('have the cells that were written, in each sheet', async () => {
    const differences: string[] = []
    for (const book of books) {
      if (!book.sheets || isOldExcel(book)) continue
      const found = await compareSheets(book, bytesOf(book))
      differences.push(...found.map((difference) => `${book.name}: ${difference}`))
    }
    expect(differences).toEqual([])
  })

  it('are read exactly, or the supplier is told why not: none is silently wrong', async () => {
    const found = await judgeAll(books, judge)
    expect(found.silent).toEqual([])
    expect(found.untold).toEqual([])
    expect(found.failed).toEqual([])
    // The old form of Excel is refused, with what to do.
    expect(found.refused).toEqual(namesOf(books.filter((book) => isOldExcel(book) && book.rows)))
    expect(books.length).toBeGreaterThan(100)
    expect(found.right.length).toBeGreaterThan(0.9 * books.length)
  })

  it('are read exactly with a choice that a supplier may make', async () => {
    const choosable = books.filter((book) => book.choice && !isOldExcel(book))
    expect(choosable.length).toBeGreaterThan(10)
    const { right } = await judgeAll(choosable, judgeChosen)
    expect(right).toEqual(namesOf(choosable))
  })
})

const namesOf = (judged: ForeignBook[]) => judged.map(({ name }) => name)

/** The names of the files by what becomes of them. */
async function judgeAll(judged: typeof books, judgeOne: typeof judge) {
  const found: Record<Verdict, string[]> = {
    right: [],
    untold: [],
    told: [],
    silent: [],
    refused: [],
    failed: [],
  }
  for (const book of judged) found[(await judgeOne(book, bytesOf(book))).verdict].push(book.name)
  return found
}
