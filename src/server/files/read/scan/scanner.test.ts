import { describe, expect, it } from 'vitest'

import { cellCount, cellText, type RecordBatch, type ScanOptions } from './scan'
import { createScanner } from './scanner'

interface Seen {
  line: number
  raw: string
  cells: string[]
}

function readBatch(batch: RecordBatch): Seen[] {
  return Array.from({ length: batch.count }, (_, record) => ({
    line: batch.lines[record] ?? 0,
    raw: batch.bytes.toString('utf8', batch.starts[record], batch.ends[record]),
    cells: Array.from({ length: cellCount(batch, record) }, (__, column) =>
      cellText(batch, record, column),
    ),
  }))
}

function scan(text: string, options: Partial<ScanOptions> = {}, chunkBytes = 65_536): Seen[] {
  const scanner = createScanner({ delimiter: ',', quoting: 'strict', ...options })
  const bytes = Buffer.from(text)
  const seen: Seen[] = []
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    seen.push(...readBatch(scanner.push(bytes.subarray(at, at + chunkBytes))))
  }
  return [...seen, ...readBatch(scanner.end())]
}

const cellsOf = (text: string, options?: Partial<ScanOptions>, chunkBytes?: number) =>
  scan(text, options, chunkBytes).map(({ cells }) => cells)

describe('the scanner', () => {
  const cases: [string, string, string[][]][] = [
    ['nothing', '', []],
    ['one cell', 'a', [['a']]],
    [
      'LF',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CRLF',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CR',
      'a,b\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['mixed line ends', 'a\rb\nc\r\nd', [['a'], ['b'], ['c'], ['d']]],
    [
      'no final line end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a delimiter at the very end',
      'a,b\n1,',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['empty cells', ',,\n', [['', '', '']]],
    ['blank lines', 'a\n\n\nb\n', [['a'], [''], [''], ['b']]],
    ['quoted delimiters and line ends', '"a,b","c\r\nd\re\n"\n', [['a,b', 'c\r\nd\re\n']]],
    ['doubled quotes', '"say ""hi""",""""\n', [['say "hi"', '"']]],
    ['an empty quoted cell', '"",a\n', [['', 'a']]],
    ['a quoted cell at the very end', 'a,"b"', [['a', 'b']]],
    [
      'characters of several bytes',
      'é,日本\n😀,x\n',
      [
        ['é', '日本'],
        ['😀', 'x'],
      ],
    ],
  ]
  for (const [name, text, expected] of cases) {
    it(`reads ${name}, in one chunk or byte by byte`, () => {
      expect(cellsOf(text)).toEqual(expected)
      expect(cellsOf(text, {}, 1)).toEqual(expected)
      expect(
        scan(text, {}, 3)
          .map(({ raw }) => raw)
          .join(''),
      ).toBe(text)
    })
  }

  it('counts every line end once, inside quotes too', () => {
    const text = 'a\r\n"x\ny\r\nz\rw",1\r\n\nb\r'
    for (const chunkBytes of [1, 2, 65_536]) {
      expect(scan(text, {}, chunkBytes).map(({ line }) => line)).toEqual([1, 2, 6, 7])
    }
  })

  it('returns a record with the chunk that has its line end, or shows that no LF follows its CR', () => {
    const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
    const chunks = ['a,b\n1,2\n3', '\r', '4\r\n']
    expect(chunks.map((chunk) => scanner.push(Buffer.from(chunk)).count)).toEqual([2, 0, 2])
    expect(scanner.end().count).toBe(0)
  })

  it('reads other delimiters', () => {
    for (const delimiter of [';', '\t', '|', '~'] as const) {
      expect(cellsOf(`a${delimiter}b,c\n`, { delimiter })).toEqual([['a', 'b,c']])
    }
  })
})

describe('the scanner of quotes', () => {
  it('refuses a quote inside a plain cell, and names its line', () => {
    expect(() => scan('a\nb\n5" pipe\n')).toThrow('Line 3 has a quotation mark inside a cell')
  })

  it('refuses text after a closing quote, and names the line where the cell begins', () => {
    expect(() => scan('a\n"b\nc"d\n')).toThrow('cell that begins on line 2 has text after')
  })

  it('refuses a quote that is never closed, and names the line where it opens', () => {
    expect(() => scan('a,b\n1,"x\n2,y\n3,z\n')).toThrow(
      'The quotation mark that opens on line 2 is never closed.',
    )
  })

  it('keeps quotes inside plain cells when it is relaxed', () => {
    expect(cellsOf('5" pipe,"a,b",x""y\n', { quoting: 'relaxed' })).toEqual([
      ['5" pipe', 'a,b', 'x""y'],
    ])
  })

  it('treats quotes as ordinary characters when there is no quoting', () => {
    expect(cellsOf('"5,6"\n"\n', { quoting: 'none' })).toEqual([['"5', '6"'], ['"']])
  })
})

describe('the limits of the scanner', () => {
  it('refuse more than 2,000 cells in a row', () => {
    expect(cellsOf(','.repeat(1_999))[0]).toHaveLength(2_000)
    expect(() => scan(','.repeat(2_000))).toThrow('Line 1 has more than 2000 cells')
    expect(() => scan(`a\n${','.repeat(2_000)}\n`)).toThrow('Line 2 has more than 2000 cells')
  })

  it('allow a record of 3 MB in many chunks', () => {
    const long = 'x'.repeat(3 * 1024 * 1024)
    expect(cellsOf(`a,b\n1,"${long}"\n2,c\n`)).toEqual([
      ['a', 'b'],
      ['1', long],
      ['2', 'c'],
    ])
  })

  it('refuse a record of more than 4 MB, naming an open quote if that is the reason', () => {
    const long = 'x\n'.repeat(3 * 1024 * 1024)
    expect(() => scan(`a,b\n1,"${long}`)).toThrow(
      'The row on line 2 is longer than 4 MB. The quotation mark that opens on line 2 may never be closed.',
    )
    expect(() => scan(`a,b\n1,${'x'.repeat(5 * 1024 * 1024)}`)).toThrow(
      'line 2 is longer than 4 MB',
    )
  })
})

describe('quoted cells that are not RFC 4180', () => {
  const READINGS: [string, ScanOptions['quoting'], string, string[][]][] = [
    [
      'spaces around the quotes of cells',
      'spaced',
      'a, "b, c" ,  "d ""e"""\n1 , x y,  \n',
      [
        ['a', 'b, c', 'd "e"'],
        ['1 ', ' x y', '  '],
      ],
    ],
    [
      'backslashes before quotes and backslashes',
      'escaped',
      '"a \\" b","c\\\\",d\\e\n"f ""g""","\\n",h\n',
      [
        ['a " b', 'c\\\\', 'd\\e'],
        ['f "g"', '\\n', 'h'],
      ],
    ],
    [
      'backslashes before what is part of a cell without quotes',
      'backslashed',
      'a\\, b,"c,d\\" e\\\\\n\\n,C:\\x,two\\\nlines\\\r\nmore\\,\n\\\\,\\"x\\",\\\n\n',
      [
        ['a, b', '"c', 'd" e\\'],
        ['\\n', 'C:\\x', 'two\nlines\r\nmore,'],
        ['\\', '"x"', '\n'],
      ],
    ],
  ]
  it.each(READINGS)('are read with %s, wherever a chunk ends', (_name, quoting, text, rows) => {
    for (let chunkBytes = 1; chunkBytes <= text.length; chunkBytes++) {
      expect(cellsOf(text, { quoting }, chunkBytes)).toEqual(rows)
      // Without the last line end.
      expect(cellsOf(text.slice(0, -1), { quoting }, chunkBytes)).toEqual(rows)
    }
  })

  it.each(['escaped', 'spaced'] as const)('are refused as in strict files when %s', (quoting) => {
    expect(() => scan('5" pipe\n', { quoting })).toThrow('inside a cell that does not begin')
    expect(() => scan('"a"b\n', { quoting })).toThrow('text after its closing quotation mark')
    expect(() => scan('"a\n', { quoting })).toThrow('never closed')
  })
})
