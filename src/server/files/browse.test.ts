import { describe, expect, it } from 'vitest'

import { createRandom, inChunks } from '../testing/fixtures/file-fixtures'
import { type BrowseOptions, browseFile } from './browse'

const { signal } = new AbortController()
const START = { offset: 0, row: 0 }
const MANY = 1_000_000

async function browse(file: string, options: Partial<BrowseOptions> = {}, chunkBytes?: number) {
  const from = options.from ?? START
  const columns = (file.split(/\r?\n/, 1)[0] ?? '').split(',')
  return browseFile(inChunks(Buffer.from(file).subarray(from.offset), chunkBytes), {
    delimiter: ',',
    columns,
    from,
    query: '',
    maxRows: 50,
    maxBytes: MANY,
    signal,
    ...options,
  })
}

/** All pages of a file, each read from where the one before ended. */
async function browseAll(file: string, options: Partial<BrowseOptions>, chunkBytes?: number) {
  const pages = []
  let from = START
  for (;;) {
    const page = await browse(file, { ...options, from }, chunkBytes)
    pages.push(page.rows)
    if (!page.hasMore) return pages
    expect(page.end.offset).toBeGreaterThan(from.offset)
    from = page.end
  }
}

const numbersOf = (rows: { number: number }[]) => rows.map(({ number }) => number)
const skusOf = (rows: { cells: string[] }[]) => rows.map(({ cells: [sku] }) => sku)

const random = createRandom(7)
const CELLS = ['plain', 'über', 'Straße', '"a, ""b"""', '"two\nlines"', '"cr\r\nlf"', '', '漢字 🏔']
const FILE = `sku,name\r\n${Array.from(
  { length: 500 },
  (_, row) => `${row + 1},${random.pick(CELLS)}\r\n`,
).join('')}`

describe('browsing a canonical file', () => {
  it.each([1, 3, 64 * 1024])(
    'returns every row once, in pages, in chunks of %i bytes',
    async (chunkBytes) => {
      const pages = await browseAll(FILE, { maxRows: 49 }, chunkBytes)
      expect(pages.map((rows) => rows.length)).toEqual([
        ...Array.from({ length: 10 }, () => 49),
        10,
      ])
      const numbers = Array.from({ length: 500 }, (_, row) => row + 1)
      expect(pages.flatMap(numbersOf)).toEqual(numbers)
      expect(pages.flatMap(skusOf)).toEqual(numbers.map(String))
    },
  )

  it.each([1, 2, 64 * 1024])(
    'reads a file for Excel, whose first name is in quotes behind a mark, in chunks of %i bytes',
    async (chunkBytes) => {
      const columns = ['the "sku"', 'name']
      const file = `\uFEFF${FILE.replace('sku', '"the ""sku"""')}`
      const pages = await browseAll(file, { columns, delimiter: ',', maxRows: 90 }, chunkBytes)
      const numbers = Array.from({ length: 500 }, (_, row) => row + 1)
      expect(pages.flatMap(skusOf)).toEqual(numbers.map(String))
    },
  )

  it.each([1, 2, 64 * 1024])(
    'reads letters that begin like a mark, in chunks of %i bytes',
    async (chunkBytes) => {
      const pages = await browseAll(FILE.replace('sku', '\uFEC0'), { maxRows: 90 }, chunkBytes)
      expect(pages.flatMap(skusOf)).toHaveLength(500)
    },
  )

  it('has no further page when the last row fills one', async () => {
    const page = await browse('sku\r\n1\r\n2\r\n', { maxRows: 2 })
    expect(page).toMatchObject({ hasMore: false, end: { offset: 11, row: 2 } })
  })

  it('returns the last row without a line end, and no row for the header alone', async () => {
    expect(skusOf((await browse('sku\n1\n2')).rows)).toEqual(['1', '2'])
    expect(await browse('sku\r\n')).toMatchObject({ rows: [], hasMore: false })
  })

  it('cuts a page of long rows, and a row that is too long for a page of its own', async () => {
    const columns = Array.from({ length: 200 }, (_, column) => `c${column}`)
    const line = `${columns.map(() => '漢'.repeat(400)).join(',')}\r\n`
    const file = `${columns.join(',')}\r\n${line.repeat(5)}`
    const pages = await browseAll(file, { columns })
    expect(pages.flatMap(numbersOf)).toEqual([1, 2, 3, 4, 5])
    expect(pages.length).toBeGreaterThan(1)
    for (const rows of pages) expect(JSON.stringify(rows).length).toBeLessThan(300_000)
  })

  it('stops when it is aborted', async () => {
    const stopped = AbortSignal.abort(new Error('No longer needed'))
    await expect(browse(FILE, { signal: stopped })).rejects.toThrow('No longer needed')
  })
})

describe('a search', () => {
  const search = async (query: string, file = FILE) =>
    (await browseAll(file, { query, maxRows: 7 }, 100)).flat()

  it.each([
    ['ÜBER', 'über'],
    ['strasse', 'Straße'],
    ['"b"', '"a, ""b"""'],
    ['a, "', '"a, ""b"""'],
    ['TWO\nLINES', '"two\nlines"'],
    ['字 🏔', '漢字 🏔'],
    ['u\u0308ber', 'über'],
  ])('for %j finds exactly the rows with %j', async (query, cell) => {
    const lines = FILE.replaceAll('two\nlines', 'two lines').split('\r\n')
    const wanted = cell.replace('two\nlines', 'two lines')
    const skus = lines.flatMap((line) => (line.endsWith(`,${wanted}`) ? line.split(',')[0] : []))
    const found = skusOf(await search(query))
    expect(found.length).toBeGreaterThan(0)
    expect(found).toEqual(skus)
  })

  it('does not match across cells or rows', async () => {
    const file = 'a,b\r\n1,2\r\n3,4\r\n'
    for (const query of ['1,2', '2\r\n3', 'a']) expect(await search(query, file)).toEqual([])
    expect(numbersOf(await search('3', file))).toEqual([2])
  })

  it('goes on where it stopped after the maximum number of bytes', async () => {
    const first = await browse(FILE, { query: '499', maxBytes: 1_000 })
    expect(first).toMatchObject({ rows: [], hasMore: true })
    expect(first.end.offset).toBeLessThan(1_100)
    const pages = await browseAll(FILE, { query: '499', maxBytes: 1_000 })
    expect(numbersOf(pages.flat())).toEqual([499])
    expect(pages.length).toBeGreaterThan(3)
  })
})
