import { describe, expect, it } from 'vitest'

import { createProblemLog } from '../problems'
import { detectDialect } from './dialect'
import { reportSkippedLines } from './preamble'

const detect = (text: string, isWhole = true) => detectDialect(Buffer.from(text), isWhole)

describe('the delimiter', () => {
  const cases: [string, string, string][] = [
    ['a comma', 'sku,name\n1,A\n', ','],
    ['a semicolon beside decimal commas', 'sku;price;weight\n1;1,50;2,50\n2;2,50;3,75\n', ';'],
    [
      'a semicolon beside more decimal commas than semicolons',
      'A;€ 1,80;€ 9,50;€ 3,20\nB;€ 2,00;€ 10,30;€ 4,10\n',
      ';',
    ],
    ['a tab beside commas in texts', 'sku\ttext\n1\tred, blue, green\n2\tbig, small\n', '\t'],
    ['a pipe', 'sku|name|text\n1|A|x, y\n', '|'],
    ['a colon', 'sku:name:qty\n1:A, or so:2\n2:B:3\n', ':'],
    ['a caret', 'sku^name^qty\n1^A, or so^2\n2^B^3\n', '^'],
    [
      'a comma for one column of addresses',
      'https://a.example/1\nhttps://a.example/2\nhttps://a.example/3\n',
      ',',
    ],
    ['a comma for one column of times', '08:30\n09:30\n10:30\n', ','],
    ['a comma beside times of day', 'sku,from,to\n1,08:30,17:00\n2,09:00,18:30\n', ','],
    ['a tilde', 'sku~name\n1~A;B\n2~C\n', '~'],
    ['a comma despite semicolons in quoted cells', 'sku,text\n1,"a;b;c"\n2,"d;e;f"\n', ','],
    ['a comma despite short rows', 'a,b,c\n1,x\n2,y\n3,z;q\n', ','],
    ['a comma with pipes in category lists', 'sku,category\n1,A|B\n2,B|C\n', ','],
    ['a comma by default, for one column of texts', 'description\nred, blue\nbig\n', ','],
    ['a semicolon with line ends in quoted cells', 'sku;text\n1;"a\nb, c\nd, e"\n2;f\n', ';'],
    ['a comma in an unquoted file with inch marks', 'sku,size\n1,"5\n2,6"\n3,7\n', ','],
    ['the one of a sep= line', 'sep=|\nsku|name, or so\n1|A, b\n', '|'],
    ['a comma in a header alone', 'sku,name,qty', ','],
  ]
  for (const [name, text, delimiter] of cases) {
    it(`is ${name}`, () => {
      expect(detect(text).delimiter).toBe(delimiter)
      expect(detect(text.replaceAll('\n', '\r\n')).delimiter).toBe(delimiter)
    })
  }

  it('is detected without the last record of an incomplete head', () => {
    expect(detect('sku;name\n1;A\n2;B, C, D, E', false).delimiter).toBe(';')
  })

  it('may be given in a sep= line, which is skipped with its line end', () => {
    expect(detect('sep=;\r\na;b\r\n')).toMatchObject({ skipBytes: 7, skipLines: 1 })
    expect(detect('separator;b\n1;2\n')).toMatchObject({ skipBytes: 0, skipLines: 0 })
  })
})

describe('lines before the table', () => {
  const TABLE = 'sku,name,qty\n1,Boot,5\n2,Hat,6\n3,Sock,7\n'
  const preambles: [string, string, number][] = [
    ['a title', 'Inventory export of Northbeck\n', 1],
    ['a title, a date and a blank line', 'Inventory export\nDate: 2026-11-21\n\n', 3],
    ['a title with empty cells', 'Inventory export,,\n,,\n', 2],
    ['comments with commas', '# price list, all prices\n# in EUR\n', 2],
    ['comments with slashes', '// generated\n', 1],
    ['a title in quotes over two lines', '"Inventory\nexport"\n', 2],
    ['a sep= line and a title', 'sep=,\nInventory export\n', 2],
  ]
  for (const [name, lines, skipLines] of preambles) {
    it(`are skipped: ${name}`, () => {
      for (const lineEnd of ['\n', '\r\n', '\r']) {
        const before = lines.replaceAll('\n', lineEnd)
        const dialect = detect(before + TABLE.replaceAll('\n', lineEnd))
        expect(dialect).toMatchObject({ skipLines, skipBytes: before.length, delimiter: ',' })
      }
    })
  }

  it('are told with their number and their beginning', () => {
    const problems = createProblemLog()
    reportSkippedLines(detect(`Inventory export\n\n${TABLE}`), problems)
    expect(problems.list()).toEqual([
      {
        line: 1,
        count: 1,
        setting: 'skipLines',
        message:
          'The 2 lines before the table have fewer cells and were skipped: “Inventory export” …',
      },
    ])
  })

  const kept: [string, string][] = [
    ['a header that begins with #', '#,name,qty\n1,Boot,5\n2,Hat,6\n'],
    ['a header that lacks the last name', 'sku,name,qty\n1,Boot,5,x\n2,Hat,6,x\n3,Sock,7,x\n'],
    ['a header of half the width', 'sku,name,qty\n1,2,3,4,5,6\n1,2,3,4,5,6\n1,2,3,4,5,6\n'],
    ['a header of one cell over two columns', 'name\nSmith, John\nDoe, Jane\n'],
    ['rows of irregular width', 'a\n1,2,3\n1,2\n1\n1,2,3,4\n'],
  ]
  for (const [name, text] of kept) {
    it(`are not ${name}`, () => {
      expect(detect(text)).toMatchObject({ skipLines: 0, skipBytes: 0 })
    })
  }
})
