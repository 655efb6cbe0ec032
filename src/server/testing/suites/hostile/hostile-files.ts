import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** A file that tries to slow the product down. */
export interface HostileFile {
  name: string
  /** Creates the file, with about `size` bytes. */
  bytes(size?: number): Buffer
}

const DEFAULT_SIZE = 300_000
/** The compression ratio of the compressed files. */
const GZIP_RATIO = 10

const fill = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length))
const rows = (size: number, row: (index: number) => string) => {
  const length = row(0).length + 2
  return Array.from({ length: Math.ceil(size / length) }, (_, index) => row(index)).join('\n')
}
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const table = (header: string, ...cells: string[]) =>
  `${header}\n${cells.map((cell, index) => `${index},${quoted(cell)}\n`).join('')}`
const names = (size: number) =>
  Array.from({ length: Math.ceil(size / 8) }, (_, index) => `n${index}`)
const wideHeader = (columns: number) =>
  Array.from({ length: columns }, (_, index) => `c${index}`).join(',')

const TEXTS: Record<string, (size: number) => string> = {
  'spaces before a quote': (size) => `a,b\n${' '.repeat(size)}"x"y\n`,
  'backslashes in quotes': (size) => `a,b\n"${fill('\\"', size)}\n`,
  'a title above the table': (size) => `${fill('# title\n', size)}a,b,c\n1,2,3\n4,5,6\n`,
  'a header cell of @.': (size) => `${fill('@.', size)} x,b\n1,2\n3,4\n5,6\n`,
  'a header cell of digits and spaces': (size) => `${fill('1 ', size)}x,2\n1,2\n3,4\n`,
  'a header of one name': (size) =>
    `${fill('category,', Math.min(size, 17_000))}x\n${fill('a\n', size)}`,
  'very long header names': (size) => `${fill('é\u0301x', size / 2)},${fill('ß', size / 2)}\n1,2\n`,
  'category lists forwards and backwards': (size) => {
    const list = names(size / 3)
    return table('sku,category', list.join(), list.toReversed().join(), list.join())
  },
  'a category of many levels': (size) => table('sku,category', fill('a>', size), 'a > b', 'a > c'),
  'a very long category cell': (size) => table('sku,category', fill('Shirts ', size), 'Hats'),
  'category cells at the maximum length': (size) =>
    `sku,category\n${rows(size, (row) => `${row},${fill(`a${row}>b;`, 990)}`)}`,
  'distinct categories': (size) =>
    `sku,category\n${rows(size, (row) => `${row},c${row}|d${row + 1}|d${row}`)}`,
  'kinds of products in lists': (size) => table('sku,type', fill('simple, ', size), 'a', 'b'),
  'variants with long keys': (size) =>
    `handle,category\n${rows(size, (row) => `${fill(`k${row}`, 190)},c${row}\n${row},`)}`,
  'the maximum number of columns': (size) =>
    `${wideHeader(2_000)}\n${fill(`${fill('1,', 3_998)}1\n`, size)}`,
  'a wide header over lines with one cell': (size) => `${wideHeader(2_000)}\n${fill('a\n', size)}`,
  'more columns than allowed': (size) => `a${fill(',', size)}\n1\n`,
  'an endless cell': (size) => fill('x', size),
  'one cell of quotation marks': (size) => `a,b\n1,"${fill('""', size)}"\n`,
  'an unclosed quotation mark': (size) => `a,b\n1,"${fill('x,y\n', size)}`,
  'quotation marks inside cells': (size) => `a,b\n${fill('5" pipe,6"\n', size)}`,
  'cells of single quotes': (size) => `a,b\n${fill(`'${"''".repeat(40)}',"x"\n`, size)}`,
  'one cell of single quotes': (size) => `a,b\n1,'${fill("''", size)}'\n`,
  'single quotes and spaces': (size) => `a,b\n${fill(`, 'x' y`, size)}`,
  'only quotation marks': (size) => fill('"', size),
  'only commas': (size) => fill(',', size),
  'only line feeds': (size) => fill('\n', size),
  'only carriage returns': (size) => fill('\r', size),
  'columns separated by blanks': (size) => `a  b  c\n${fill(`x${' '.repeat(90)}y z\n`, size)}`,
  'aligned columns': (size) => `sku    name\n${fill('1      A\n', size)}`,
  'only spaces': (size) => fill(' ', size),
  'every delimiter in turn': (size) => fill('a,b;c\td|e~f\n', size),
  'a sep line and byte order marks': (size) => `sep=;\r\n${fill('\uFEFF', size)}`,
  'quantities of digits and dots': (size) =>
    table('sku,qty', fill('1.', size), fill('9', size), '1'),
  'quantities of signs and spaces': (size) =>
    `sku,quantity\n${fill(`1,"${fill("1 '", 36)}x"\n`, size)}`,
  'dates without a header': (size) => fill('2024-01-01 10:00,1/1/24\n', size),
  'addresses without a header': (size) => fill('a@b.c.d,http://a.b/c\n', size),
  'control characters': (size) => `a,b\n${fill('\u0000\u0001\u001B[2J\u202E,\u0007\n', size)}`,
  'HTML comments': (size) => fill('<!--', size),
  'HTML tags': (size) => fill('<a b', size),
  'nested JSON lists': (size) => fill('[', size),
  'nested JSON objects': (size) => fill('{"a":', size),
  'letters that become longer when case is folded': (size) =>
    table('sku,category', fill('İΣß', size), fill('ﬃ', size)),
  'stacked accents': (size) => table('sku,category', `e${fill('\u0301', size)}`, 'e'),
}

const FILES: Record<string, (size: number) => Buffer> = {
  'alternating UTF-8 and Windows-1250': (size) =>
    repeatBytes(Buffer.concat([Buffer.from('é,ő\n'), Buffer.from([0xf5, 0x2c, 0xe9, 0x0a])]), size),
  'bytes that are not UTF-8': (size) => repeatBytes(Buffer.from([0x80, 0xff, 0xc3, 0x2c]), size),
  'UTF-16 with lone surrogates': (size) => Buffer.from(fill('a,\uD800\n', size / 2), 'utf16le'),
  'bytes like Shift_JIS': (size) =>
    repeatBytes(Buffer.from([0x83, 0x65, 0x83, 0x58, 0x2c, 0x0a]), size),
  'escape sequences of ISO-2022-JP': (size) =>
    repeatBytes(Buffer.from('\u001B$BF|K\\\u001B(B,\u001B$B\n'), size),
  'escape sequences of ISO-2022-KR': (size) =>
    repeatBytes(Buffer.from('\u001B$)C\u000E0!\u000F,\u001B\n'), size),
  'random bytes': (size) => createHash('shake256', { outputLength: size }).digest(),
  'gzip of a wide header over lines with one cell': (size) =>
    gzipSync(`${wideHeader(2_000)}\n${fill('a\n', GZIP_RATIO * size)}`, { level: 1 }),
  'gzip of zeros': (size) => gzipSync(Buffer.alloc(GZIP_RATIO * size)),
  'truncated gzip': (size) => gzipSync(fill('a,b\n', GZIP_RATIO * size)).subarray(0, -20),
}

function repeatBytes(piece: Buffer, size: number): Buffer {
  return Buffer.alloc(size, piece)
}

/** Small files of every kind that is, or might be, expensive to read. */
export const hostileFiles: readonly HostileFile[] = [
  ...Object.entries(TEXTS).map(([name, make]) => ({
    name,
    bytes: (size = DEFAULT_SIZE) => Buffer.from(make(size)),
  })),
  ...Object.entries(FILES).map(([name, make]) => ({
    name,
    bytes: (size = DEFAULT_SIZE) => make(size),
  })),
]
