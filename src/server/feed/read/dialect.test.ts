import { describe, expect, it } from 'vitest'

import { detectDialect } from './dialect'

const detect = (text: string, isWhole = true) => detectDialect(Buffer.from(text), isWhole)

describe('the delimiter', () => {
  const cases: [string, string, string][] = [
    ['a comma', 'sku,name\n1,A\n', ','],
    ['a semicolon beside decimal commas', 'sku;price;weight\n1;1,50;2,50\n2;2,50;3,75\n', ';'],
    ['a tab beside commas in texts', 'sku\ttext\n1\tred, blue, green\n2\tbig, small\n', '\t'],
    ['a pipe', 'sku|name|text\n1|A|x, y\n', '|'],
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

describe('the header', () => {
  const cases: [string, string, boolean][] = [
    ['names over numbers', 'artikl,broj\n1,5\n2,6\n', true],
    ['a known name', 'sku,2023,2024\n1,5,6\n2,7,8\n', true],
    ['a series of years', 'x,2022,2023,2024\na,5,6,7\nb,7,8,9\n', true],
    ['texts over texts', 'foo,bar\na,b\nc,d\ne,f\n', true],
    ['too few rows to decide', '10012,5.00\n10013,6.00\n', true],
    ['a header alone', 'a,b,c\n', true],
    ['repeated headers of joined files', 'foo,bar\na,b\nfoo,bar\nc,d\n', true],
    ['numbers like those below', '10012;Shirt;19,99\n10013;Hat;5,00\n10014;Sock;2,50\n', false],
    [
      'addresses like those below',
      'A-1,https://x.example/1,7\nA-2,https://x.example/2,9\nA-3,https://x.example/3,1\n',
      false,
    ],
    ['values that occur again below', 'Nike,Shoes,5\nAdidas,Shoes,6\nNike,Hats,7\n', false],
  ]
  for (const [name, text, hasHeader] of cases) {
    it(`is detected as ${hasHeader ? 'present' : 'absent'} with ${name}`, () => {
      expect(detect(text).hasHeader).toBe(hasHeader)
    })
  }
})
