import { describe, expect, it } from 'vitest'

import { inChunks } from '../testing/fixtures/file-fixtures'
import { refusalOf } from '../testing/stages/ingesting'
import { explainRefusal } from './explain-refusal'
import { FileError } from './file-error'
import { previewFile } from './preview'

const rows = (count: number) => Array.from({ length: count }, (_, row) => `${row},A\n`).join('')

describe('the error of a refused table', () => {
  const cases: [string, string, string][] = [
    [
      'shows the line, and how many are like it',
      'sku,name\n1,A\n2,B, red\n3,C\n4,D, blue\n',
      'Line 3 has 3 cells, but the header has 2: “2,B, red”. 2 lines are like this.',
    ],
    [
      'counts lines of the same kind only, each once',
      'sku,name\n1,"A" x "B" y,\n2,"C" z\n3,D,E\n',
      'The quoted cell that begins on line 2 has text after its closing quotation mark: “1,"A" x "B" y,”. 2 lines are like this.',
    ],
    [
      'counts from the first line of the file',
      'sep=;\r\nStock list\r\n\r\nsku;name;qty\r\n1;A;2\r\n2;B;3\r\n3;C;4\r\n4;D;5\r\n5;E;6\r\n6;F;7;8\r\n',
      'Line 10 has 4 cells, but the header has 3: “6;F;7;8”.',
    ],
    [
      'is that of the reading that came furthest',
      `sku,name\n1,5" pipe\n2,6" pipe\n3,A,B\n4,"C, D"\n`,
      'Line 4 has 3 cells, but the header has 2: “3,A,B”.',
    ],
    [
      'is not that of a reading that quoted cells refute',
      'sku,name\n1,A\n2,"B" x\n3,C\n4,"D, red"\n',
      'The quoted cell that begins on line 3 has text after its closing quotation mark: “2,"B" x”.',
    ],
    [
      'shows a quotation mark that is never closed',
      'sku,name\n1,"A, B"\n2,"C\n3,D\n',
      'The quotation mark that opens on line 3 is never closed: “2,"C”.',
    ],
    [
      'shows characters that control a display as spaces',
      `sku,name\n1,\u202Ea\u001B[2J,b\n${rows(30)}`,
      'Line 2 has 3 cells, but the header has 2: “1, a [2J,b”.',
    ],
  ]
  it.each(cases)('%s', async (_name, source, message) => {
    expect((await refusalOf(source)).message).toBe(message)
    await expect(previewFile(inChunks(Buffer.from(source)), 'none')).rejects.toMatchObject({
      message,
    })
  })

  it('shows the beginning of a long line', async () => {
    const { message } = await refusalOf(`sku,name\n1,${'é'.repeat(500)},x\n`)
    expect(message).toBe(`Line 2 has 3 cells, but the header has 2: “1,${'é'.repeat(97)}…”.`)
  })

  it('says that there may be more such lines when only the beginning was read', async () => {
    const source = `sku,name\n1,A,B\n2,C,D\n${rows(30_000)}`
    await expect(previewFile(inChunks(Buffer.from(source)), 'none')).rejects.toMatchObject({
      message: expect.stringMatching(/“1,A,B”\. At least 2 lines are like this\.$/),
    })
  })

  it('is left as it is if it names no line', async () => {
    const error = new FileError('record-too-long', 'Too long.', { line: 3 })
    const dialect = {
      delimiter: ',',
      isSplit: true,
      hasHeader: true,
      isHeaderGuess: false,
      skipBytes: 0,
      skipLines: 0,
      skippedText: null,
      isSingleQuoted: false,
      blankGap: null,
      secondHeaderLine: null,
    } as const
    const encoding = { name: 'utf-8', bomLength: 0, hasStrayBytes: false }
    const format = { encoding, dialect, quoting: 'strict' } as const
    expect(await explainRefusal(error, format, { bytes: [], isWhole: true })).toBe(error)
  })
})
