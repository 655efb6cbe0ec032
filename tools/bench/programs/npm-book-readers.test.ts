import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { makeInventoryBook } from '../inventory-book'
import { BOOK_READERS } from './npm-book-readers'

it.each(Object.entries(BOOK_READERS))('%s finds all rows of a workbook', async (_name, read) => {
  const folder = await mkdtemp(join(tmpdir(), 'stockbridge-book-'))
  const path = join(folder, 'book.xlsx')
  await writeFile(path, makeInventoryBook(1_000, 'first'))
  expect(await read(path)).toBe(1_001)
  await rm(folder, { recursive: true })
})
