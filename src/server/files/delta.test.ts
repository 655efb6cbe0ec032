import { isDeepStrictEqual } from 'node:util'

import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'

import { createRandom, inChunks } from '../testing/fixtures/file-fixtures'
import { createMemoryKeyDraft, readFrom } from '../testing/fixtures/key-files'
import { writeDelta } from './delta'

const { signal } = new AbortController()

type Delimiter = ',' | ';' | '\t'

/** The delta of two files; null where the whole file is to be sent. */
async function deltaOf(older: string, newer: string, delimiter: Delimiter = ',', keyPlace = 0) {
  const toSource = (text: string) => {
    const bytes = Buffer.from(text)
    return { read: () => inChunks(bytes, 50), readAt: readFrom(bytes) }
  }
  const chunks: Buffer[] = []
  const openDraft = async () => createMemoryKeyDraft()
  const options = { delimiter, keyPlace, openDraft, signal }
  const sources = { older: toSource(older), newer: toSource(newer) }
  const count = await writeDelta(sources, options, async (chunk) => {
    chunks.push(Buffer.from(chunk))
  })
  return count === null ? null : Buffer.concat(chunks).toString()
}

/** The cells of a file, as another program reads them. */
const parse = (text: string, delimiter: Delimiter) =>
  Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { delimiter, skipEmptyLines: true }).data

/** What a reader holds: its rows by their keys. */
type Held = Map<string, string[]>

const hold = (text: string, delimiter: Delimiter, keyPlace: number): Held =>
  new Map(
    parse(text, delimiter)
      .slice(1)
      .map((row) => [row[keyPlace] ?? '', row] as const),
  )

function apply(held: Held, delta: string, delimiter: Delimiter, keyPlace: number): Held {
  const next = new Map(held)
  const [names = [], ...rows] = parse(delta, delimiter)
  expect(names.at(-1)).toBe('_change')
  for (const row of rows) {
    const key = row[keyPlace] ?? ''
    const change = row.pop()
    // A row is told only if it differs.
    const before = held.get(key)
    const isSame = isDeepStrictEqual(row, before)
    expect([change, before !== undefined, isSame]).toEqual([
      change,
      change !== 'added',
      change === 'removed',
    ])
    if (change === 'removed') next.delete(key)
    else next.set(key, row)
  }
  return next
}

describe('the changes between two files', () => {
  it('are those of cells, however they are quoted and whatever the lines end with', async () => {
    const older = 'sku,name,qty\n1,Boot,4\n2,"a, b",5\n3,"say ""x""",6\n4,,7\n'
    const same =
      '"sku","name",qty\r\n"3","say ""x""","6"\r\n"4","",7\r\n1,"Boot","4"\r\n"2","a, b",5\r\n'
    expect(await deltaOf(older, same)).toBe('"sku","name",qty,_change\r\n')
    expect(await deltaOf(same, older)).toBe('sku,name,qty,_change\n')
    expect(await deltaOf(older, same.replace('Boot', 'Shoe'))).toBe(
      '"sku","name",qty,_change\r\n1,"Shoe","4",changed\r\n',
    )
  })

  it.each([
    ['spaces', 'a', ' a'],
    ['upper case', 'a', 'A'],
    ['a quote', 'a', '"a"""'],
    ['a line end in a cell', '"a\r\nb"', '"a\nb"'],
    ['an empty cell', 'a', '""'],
  ])('tell cells apart by %s', async (_what, one, other) => {
    const toFile = (cell: string) => `sku,name\n1,${cell}\n`
    expect(await deltaOf(toFile(one), toFile(other))).toBe(`sku,name,_change\n1,${other},changed\n`)
  })

  it('cannot be told when the names of the columns differ', async () => {
    const rows = '\r\n1,a\r\n'
    expect(await deltaOf(`sku,name${rows}`, `sku,Name${rows}`)).toBeNull()
    expect(await deltaOf(`sku,name${rows}`, `name,sku${rows}`)).toBeNull()
    expect(await deltaOf(`sku,name${rows}`, `"sku,name"${rows}`)).toBeNull()
  })

  it('are told of a file with a byte order mark and quoted names', async () => {
    const toFile = (quantity: number) => `\uFEFF"the ""sku""",qty\r\n1,${quantity}\r\n`
    const delta = await deltaOf(toFile(1), toFile(2))
    expect(delta).toBe('\uFEFF"the ""sku""",qty,_change\r\n1,2,changed\r\n')
  })

  it.each([',', ';', '\t'] as const)(
    'lead a reader of any history from the first file to the last, separated by %j',
    async (delimiter) => {
      const random = createRandom(delimiter.charCodeAt(0))
      const texts = [
        'a',
        'b',
        '',
        ' a',
        'x, y',
        'x; y',
        'x\ty',
        'say "x"',
        'two\nlines',
        'é',
        '_change',
      ]
      const write = (cell: string) => {
        const needsQuotes = [delimiter, '"', '\n'].some((part) => cell.includes(part))
        const isQuoted = needsQuotes || random.below(3) === 0
        return isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell
      }
      const makeFile = () => {
        const end = random.pick(['\n', '\r\n'])
        const keys = Array.from({ length: 30 }, (_, key) => key).filter(() => random.below(4) > 0)
        const rows = keys.map((key) => [random.pick(texts), `K ${key}`, random.pick(texts)])
        const lines = [
          ['name', 'sku', 'more; less'],
          ...rows.toSorted(() => random.next() - 0.5),
        ].map((row) => row.map(write).join(delimiter))
        return lines.join(end) + (random.below(2) === 0 ? end : '')
      }
      let file = makeFile()
      let held = hold(file, delimiter, 1)
      for (let step = 0; step < 60; step++) {
        const newer = makeFile()
        const delta = await deltaOf(file, newer, delimiter, 1)
        held = apply(held, delta ?? '', delimiter, 1)
        expect(held).toEqual(hold(newer, delimiter, 1))
        file = newer
      }
    },
  )
})
