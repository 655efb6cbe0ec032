import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../shared/automatic-reading'
import type { SourceReading } from '../../shared/schemas/source-reading'
import { createMemoryDrafts, inChunks, readAll } from '../testing/fixtures/file-fixtures'
import { ingestFile } from './ingest'
import { previewFile } from './preview'

const { signal } = new AbortController()

async function ingest(source: string | Uint8Array, chosen: Partial<SourceReading>) {
  const drafts = createMemoryDrafts()
  const { draft, report } = await ingestFile(inChunks(Buffer.from(source), 7), {
    openDraft: drafts.open,
    compression: 'none',
    categoryReading: null,
    reading: { ...AUTOMATIC_READING, ...chosen },
    signal,
  })
  const text = (await readAll(draft.read())).toString()
  return { ...report, text, notes: report.problems.map(({ message }) => message) }
}

const preview = (source: string | Uint8Array, chosen: Partial<SourceReading>) =>
  previewFile(inChunks(Buffer.from(source)), 'none', {
    reading: { ...AUTOMATIC_READING, ...chosen },
  })

/** The refusal of a source, which a sync and a preview give alike. */
async function refusalOf(source: string | Uint8Array, chosen: Partial<SourceReading>) {
  const [ofSync, ofPreview] = await Promise.all(
    [ingest, preview].map((read) => read(source, chosen).catch((error: unknown) => error)),
  )
  expect(ofSync).toMatchObject({ name: 'FileError' })
  expect(ofPreview).toMatchObject({ message: (ofSync as Error).message })
  return ofSync
}

describe('a chosen encoding', () => {
  const words = 'sku,name\n1,Èze\n2,Ère\n3,CAFÈ\n'
  const bytes = iconv.encode(words, 'windows-1252')

  it('is obeyed without a note to check it, whatever would be guessed', async () => {
    const guessed = await ingest(bytes, {})
    expect(guessed.problems).toMatchObject([{ setting: 'encoding' }])
    const czech = await ingest(bytes, { encoding: 'windows-1250' })
    expect(czech).toMatchObject({ notes: [], dialect: { encoding: 'windows-1250' } })
    expect(czech.text).toContain('Čze')
    const western = await ingest(bytes, { encoding: 'windows-1252' })
    expect(western).toMatchObject({ notes: [] })
    expect(western.text.replaceAll('\r\n', '\n')).toBe(words)
  })

  it('does not hide what would be guessed', async () => {
    const { found, dialect } = await preview(bytes, { encoding: 'windows-1250' })
    expect(dialect.encoding).toBe('windows-1250')
    expect(found.encoding).toBe((await preview(bytes, {})).dialect.encoding)
  })

  it('passes a canonical file through when it is UTF-8', async () => {
    const text = 'sku,name\n1,Č\n'
    expect(await ingest(text, { encoding: 'utf-8' })).toMatchObject({ text, isRewritten: false })
  })

  it('refuses bytes that are not UTF-8 with their line', async () => {
    expect(await refusalOf(bytes, { encoding: 'utf-8' })).toMatchObject({
      code: 'wrong-choice',
      line: 2,
      message: 'The chosen encoding, UTF-8, does not fit: line 2 has bytes that are not UTF-8.',
    })
  })

  it('refuses the byte order mark of another encoding', async () => {
    const marked = iconv.encode('\uFEFFsku,name\n1,Č\n', 'utf-16le')
    expect(await refusalOf(marked, { encoding: 'windows-1252' })).toMatchObject({
      code: 'wrong-choice',
      message:
        'The chosen encoding, Windows-1252, does not fit: the file begins with the byte order mark of UTF-16 LE.',
    })
    const { text } = await ingest(marked, { encoding: 'utf-16le' })
    expect(text).toBe('sku,name\r\n1,Č\r\n')
  })

  it('refuses UTF-16 for a file without its zero bytes', async () => {
    expect(await refusalOf('sku,name\n1,A\n', { encoding: 'utf-16le' })).toMatchObject({
      code: 'wrong-choice',
      message:
        'The chosen encoding, UTF-16 LE, does not fit: read in it, the file has no line ends and no delimiters.',
    })
    const plain = iconv.encode('sku,name\n1,Č\n', 'utf-16be')
    expect(await ingest(plain, { encoding: 'utf-16be' })).toMatchObject({ rowCount: 1 })
  })
})

describe('a chosen delimiter', () => {
  it('is obeyed where another one would be detected', async () => {
    const text = 'sku;a,b,c\n1;x,y,z\n2;x,y,z\n'
    expect(await preview(text, {})).toMatchObject({ columns: ['sku;a', 'b', 'c'] })
    expect(await preview(text, { delimiter: ';' })).toMatchObject({
      columns: ['sku', 'a,b,c'],
      dialect: { delimiter: ';' },
      found: { delimiter: ',' },
    })
  })

  it('is refused when another one separates the cells instead', async () => {
    expect(await refusalOf('sku,name\n1,A\n2,B\n', { delimiter: ';' })).toMatchObject({
      code: 'wrong-choice',
      message:
        'The chosen delimiter, semicolon, is not in the first row. A comma separates its cells.',
    })
  })

  it('may be blanks, of which a run is one delimiter where rows are aligned', async () => {
    const aligned = 'sku   name  qty\nA1    Boot  5\nA22   Hat   61\n'
    const { columns, notes } = await ingest(aligned, { delimiter: ' ' })
    expect({ columns, notes }).toEqual({ columns: ['sku', 'name', 'qty'], notes: [] })
    expect((await ingest(aligned, {})).problems).toMatchObject([{ setting: 'delimiter' }])
    expect((await ingest('sku name\nA1 Boot\nA22 Hat\n', { delimiter: ' ' })).columns).toEqual([
      'sku',
      'name',
    ])
  })

  it('may be missing in a file of one column', async () => {
    expect(await ingest('sku\n1\n2\n', { delimiter: ';' })).toMatchObject({ columnCount: 1 })
  })

  it('is named when rows cannot be read', async () => {
    expect(
      await refusalOf('a;b,c\n1;2;3\n4;5;6\n', { delimiter: ';', quoting: 'none' }),
    ).toMatchObject({
      code: 'ragged-row',
      line: 2,
      message: expect.stringMatching(
        /^The chosen delimiter, semicolon, and the quoting, none, may not fit\. Line 2 has 3 cells/,
      ),
    })
  })
})

describe('a chosen quoting', () => {
  it('keeps quotes as part of the text when there is none', async () => {
    const { text, notes } = await ingest('sku,name\n1,"A"\n2,"B"\n', { quoting: 'none' })
    expect(text).toBe('sku,name\r\n1,"""A"""\r\n2,"""B"""\r\n')
    expect(notes).toEqual([])
  })

  it('reads backslashes before quotes without a note', async () => {
    const { text, notes } = await ingest('sku,name\n1,"5\\" pipe"\n', { quoting: 'backslash' })
    expect(text).toContain('"5"" pipe"')
    expect(notes).toEqual([])
  })

  it('removes single quotes without a note', async () => {
    const source = "sku,name\n1,'Boot, left'\n2,O'Neill\n"
    expect((await ingest(source, { quoting: 'single' })).text).toBe(
      'sku,name\r\n1,"Boot, left"\r\n2,O\'Neill\r\n',
    )
    expect((await ingest(source, { quoting: 'single' })).notes).toEqual([])
    expect(await preview(source, { quoting: 'single' })).toMatchObject({ found: { quoting: null } })
  })

  it('does not try another style', async () => {
    expect(
      await refusalOf('sku,name\n1,"5\\" pipe, long"\n2,"b"\n', { quoting: 'double' }),
    ).toMatchObject({
      message: expect.stringMatching(
        /^The chosen quoting, double quotes, may not fit\. The quoted/,
      ),
    })
  })
})

describe('a chosen header row', () => {
  const text = 'Title,Price\nBoot,5\nHat,6\n'

  it('makes a product of the first row, without a note', async () => {
    const { columns, rowCount, notes } = await ingest(text, { hasHeader: false })
    expect({ columns, rowCount, notes }).toEqual({
      columns: ['column_1', 'column_2'],
      rowCount: 3,
      notes: [],
    })
    expect(await preview(text, { hasHeader: false })).toMatchObject({ found: { hasHeader: true } })
  })

  it('makes names of a first row that looks like a product', async () => {
    const headless = '1,Boot,5.50\n2,Boot,6.50\n3,Hat,7.50\n'
    expect(await ingest(headless, {})).toMatchObject({ dialect: { hasHeader: false } })
    expect(await ingest(headless, { hasHeader: true })).toMatchObject({
      columns: ['1', 'Boot', '5.50'],
      rowCount: 2,
      isRewritten: false,
    })
  })
})

describe('a chosen number of lines to skip', () => {
  const text = 'Stock list\nas of today\nsku,name,qty\n1,A,5\n2,B,6\n3,C,7\n'

  it('is skipped without a note', async () => {
    expect(await preview(text, {})).toMatchObject({
      problems: [{ setting: 'skipLines' }],
      found: { skipLines: 2 },
    })
    const { columns, rowCount, notes } = await ingest(text, { skipLines: 3, hasHeader: true })
    expect({ columns, rowCount, notes }).toEqual({
      columns: ['1', 'A', '5'],
      rowCount: 2,
      notes: [],
    })
    expect(await preview(text, { skipLines: 3 })).toMatchObject({
      dialect: { hasHeader: false },
      found: { skipLines: 2 },
    })
  })

  it('keeps the first line as the header when it is 0', async () => {
    expect(await refusalOf(text, { skipLines: 0 })).toMatchObject({
      code: 'ragged-row',
      line: 3,
      message: expect.stringContaining('The chosen number of lines to skip, 0, may not fit.'),
    })
  })

  it('counts lines of the file in later messages', async () => {
    const { problems } = await ingest('note\n\nsku,name\n1,A\n2\n', { skipLines: 2 })
    expect(problems).toMatchObject([{ line: 5 }])
  })

  it('is refused when no line is left', async () => {
    expect(await refusalOf('sku,name\n1,A\n', { skipLines: 2 })).toMatchObject({
      code: 'wrong-choice',
      message: 'The chosen 2 lines to skip are the whole file.',
    })
  })
})
