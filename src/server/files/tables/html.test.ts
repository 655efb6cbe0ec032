import { describe, expect, it } from 'vitest'

import { readSheet } from '../../testing/fixtures/workbooks'
import { readDocument as readTable } from '../../testing/stages/document-stage'
import { openDocument, readDocument } from '../../testing/stages/text-documents'

const EXCEL =
  '<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns="http://www.w3.org/TR/REC-html40">'
const HEADER = '<tr><th>SKU</th><th>Price</th><th>Stock</th></tr>'

/** The rows of a document of Excel that has one table. */
const csvOf = async (rows: string, head = '') => (await readExcel(rows, head)).csv
const readExcel = (rows: string, head = '') =>
  readDocument('html', `${EXCEL}<head>${head}</head><body><table>${rows}</table></body></html>`)
const cellOf = async (cell: string, head = '') =>
  (await csvOf(`<tr>${cell}<td>end</td></tr>`, head)).replace(/,end\n$/, '')

describe('the cells of an HTML table', () => {
  it.each([
    ['<td>a</td>', 'a'],
    ['<td> a\n  b\t c </td>', 'a b c'],
    ['<td>a\tb</td>', 'a\tb'],
    ['<td>\ta\t<b>b</b>\t</td>', 'a b'],
    ['<td>&nbsp;</td>', ''],
    ['<td>a&nbsp;b&#160;&nbsp;</td>', 'a b'],
    ['<td>a&nbsp; b</td>', 'a  b'],
    ['<td>one<br>two<br/>three<br></td>', '"one\ntwo\nthree"'],
    ['<td><br></td>', ''],
    ['<td><p>one</p>\n<p>two</p></td>', '"one\ntwo"'],
    ['<td><div>one<div>two</div></div>three</td>', '"one\ntwo\nthree"'],
    ['<td><ul><li>one<li>two</ul></td>', '"one\ntwo"'],
    ['<td><font face=Arial><b>a</b>b <i>c</i></font></td>', 'ab c'],
    [
      '<td>&lt;b&gt; &amp; &quot;x&quot; &eacute;&#8364;&#x20AC; &euro;</td>',
      '"<b> & ""x"" é€€ €"',
    ],
    ['<td>R&D &unknown; &amp</td>', 'R&D &unknown; &'],
    ['<td>5 < 6</td>', '5 < 6'],
    ['<td>a<!-- comment -->b<script>c</script><style>d</style></td>', 'ab'],
    ['<td><span style="display: none">20261125</span>25.11.2026</td>', '25.11.2026'],
    ['<td><span hidden>x<span>y</span>z</span>a</td>', 'a'],
    ['<td>Boot<span style="mso-spacerun:yes">&nbsp; </span>new</td>', 'Boot  new'],
    ['<td><img src="a.png" alt="b">a</td>', 'a'],
    ['<TD ALIGN=right>a</TD>', 'a'],
    ['<td><span class="sr-only">Price:</span> 9</td>', '9'],
    ['<td><pre>a\n b</pre></td>', '"a\nb"'],
    ['<td x:str="0012">12</td>', '0012'],
    ['<td x:str="\'0012">0012</td>', '0012'],
    ['<td x:str="0013">12</td>', '12'],
    ['<td x:num="12345">12</td>', '12345'],
    ['<td x:num="12345678">12.3</td>', '12345678'],
    ['<td x:num="99">12</td>', '12'],
    ['<td><a href="https://a.example/">a</a></td>', 'a'],
    ['<td><input type="checkbox" checked disabled></td>', 'TRUE'],
    ['<td><span disabled><input disabled="disabled" type=checkbox /></span></td>', 'FALSE'],
  ])('have the text that is shown: %s', async (cell, text) => {
    expect(await cellOf(cell)).toBe(text)
  })

  it('stand in their columns when others span columns and rows', async () => {
    expect(
      await csvOf(
        '<tr><td colspan=2>a</td><td rowspan=3>b</td><td>c</td></tr><tr><td>d</td><td>e</td><td>f</td></tr><tr><td rowspan=2 colspan=2>g</td><td>h</td></tr><tr><td>i</td></tr>',
      ),
    ).toBe('a,,b,c\nd,e,,f\ng,,,h\n,,i\n')
  })

  it('are not spanned by those of the section before', async () => {
    const rows =
      '<thead><tr><th rowspan=9>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody>'
    expect(await csvOf(rows)).toBe('a,b\nc,d\n')
  })

  it.each(['0', '-1', 'x', '', '1.5', '1e9', '99999999999999999999'])(
    'span %s columns without harm',
    async (span) => {
      const { csv } = await readExcel(`<tr><td colspan="${span}" rowspan="${span}">a</td></tr>`)
      expect(csv).toBe('a\n')
    },
  )

  it('are found without end tags, as browsers find them', async () => {
    expect(await csvOf('<tr><td>a<td><b>b<tr><td>c<td>d')).toBe('a,b\nc,d\n')
    expect(await csvOf('<td>a<td>b</tr><tr><td><p>c<td><p>d</tr>')).toBe('a,b\nc,d\n')
    expect(await csvOf('</td></tr><tbody><tr><td>a</td></td></p></tr></tr>')).toBe('a\n')
  })

  it('are the same however the bytes arrive', async () => {
    const page = `${EXCEL}<table><caption>Größe</caption><tr><td>ä&nbsp;ö<td x:num="1.25">1,3</tr><tr><td>a<br>€</table>`
    const whole = await readDocument('html', page)
    for (const chunkBytes of [1, 2, 3, 7, 50]) {
      expect(await readDocument('html', page, { chunkBytes })).toEqual(whole)
    }
    expect(whole.csv).toBe('ä ö,1.25\n"a\n€"\n')
  })
})

describe('numbers in an HTML table', () => {
  it.each([
    ['are as they are shown', '<td>1.234,50</td>', '"1.234,50"'],
    ['keep their zeros', '<td x:num="123">0000123</td>', '0000123'],
    ['are in full where the cell has them', '<td x:num="1234.5678">1,234.57 €</td>', '1234.5678'],
    ['are in full in other languages', '<td x:num="1234.5678">1.234,57</td>', '1234.5678'],
    ['are fractions as percentages', '<td x:num="0.195">20%</td>', '0.195'],
    ['are negative in parentheses', '<td x:num="-3.5">(3.50)</td>', '-3.5'],
    [
      'are in full beside an exponent',
      '<td x:num="4006381333931">4.00638E+12</td>',
      '4006381333931',
    ],
    ['have no unit', '<td x:num="5">5 pcs</td>', '5'],
    [
      'are those of LibreOffice too',
      '<td sdval="0.333333" sdnum="1033;0;0.0">0.3</td>',
      '0.333333',
    ],
    ['are dates as they are shown', '<td x:num="46351">25.11.2026</td>', '25.11.2026'],
    ['are times as they are shown', '<td x:num="0.3541">08:30</td>', '08:30'],
    ['are not older ones of a template', '<td x:num="40427">117</td>', '117'],
    ['are not the zero behind an error', '<td sdval="0" sdnum="1033;">#N/A</td>', '#N/A'],
    ['are not the zero of an error', '<td sdval="0" sdnum="1033;">#DIV/0!</td>', '#DIV/0!'],
    ['are empty where nothing is shown', '<td x:num="0"></td>', ''],
    [
      'have literals of a format',
      '<td sdval="3667" sdnum="1033;0;&quot;ART-&quot;00000">ART-03667</td>',
      'ART-03667',
    ],
    [
      'have blanks of a format of zeros',
      `<td style='mso-number-format:"000\\ 000"' x:num="123456">123 456</td>`,
      '123 456',
    ],
  ])('%s', async (_what, cell, text) => {
    expect(await cellOf(cell)).toBe(text)
  })

  it.each([
    ['<td style=\'mso-number-format:"0000000"\'>123</td>', '0000123'],
    ["<td style='mso-number-format:0000000;color:red'>0000123</td>", '0000123'],
    ['<td style=\'mso-number-format:"\\@"\'>00123</td>', '00123'],
    ['<td class="b zeros">123</td>', '00123'],
    ['<td class=art>123</td>', 'ART-00123'],
    ['<td class=two>1.5</td>', '1.5'],
    ['<td class=other>123</td>', '123'],
  ])('have the zeros that a format for Excel adds: %s', async (cell, text) => {
    const rules =
      '<style><!--table {color:red}\n.zeros, td.x1 {color:red;mso-number-format:"00000";}\n.art{mso-number-format:"\\0022ART-\\0022 00000"}\n.two{mso-number-format:"0\\.00"} .x{--></style>'
    expect(await cellOf(cell, rules)).toBe(text.replace('ART-0', 'ART- 0'))
  })

  it('that have been damaged are told of', async () => {
    const cell = (text: string, attributes = '') => `<tr><td${attributes}>${text}</td></tr>`
    const { problems } = await readExcel(
      cell('#DIV/0!') +
        cell('########') +
        cell('4.00638E+12') +
        cell('1.23E+18', ' x:num="1234567890123456789"'),
    )
    expect(problems.map(({ message, line }) => [line, message.slice(0, 30)])).toEqual([
      [1, 'Cells have an error of a formu'],
      [2, 'Cells show only ####, because '],
      [3, 'Numbers such as 4.00638E+12 ha'],
      [4, 'Numbers have more than 15 digi'],
    ])
  })
})

describe('the tables of a document', () => {
  const table = (content: string) =>
    `<table>${HEADER}<tr><td>${content}</td><td>1</td><td>2</td></tr></table>`
  const namesOf = async (page: string) =>
    (await openDocument('html', page)).sheets.map(({ name }) => name)

  it('are sheets, with their names and sizes', async () => {
    const { sheets, doubt } = await openDocument(
      'html',
      `<h2>Shoes &amp; <b>Boots</b></h2>${table('a')}<table><caption>Hats</caption>${HEADER}<tr><td>b</td><td>1</td><td>2</td></tr></table>${table('c')}`,
    )
    expect(doubt).toBe(undefined)
    expect(sheets).toEqual([
      { name: 'Shoes & Boots', isHidden: false, rows: 2, columns: 3 },
      { name: 'Hats', isHidden: false, rows: 2, columns: 3 },
      { name: 'Table 3', isHidden: false, rows: 2, columns: 3 },
    ])
  })

  it('never have the same name', async () => {
    const names = await namesOf(
      `<h1>A</h1>${table('a')}<h1>A</h1>${table('b')}<h1>A (2)</h1>${table('c')}`,
    )
    expect(names).toEqual(['A', 'A (2)', 'A (2) (2)'])
  })

  it('have the names that Excel lists, in a comment or as elements', async () => {
    const list =
      '<x:ExcelWorkbook><x:ExcelWorksheets><x:ExcelWorksheet><x:Name>R&amp;D stock</x:Name><x:WorksheetOptions><x:Selected/></x:WorksheetOptions></x:ExcelWorksheet><x:ExcelWorksheet><x:Name>Old</x:Name><x:WorksheetOptions><x:Visible>SheetHidden</x:Visible></x:WorksheetOptions></x:ExcelWorksheet></x:ExcelWorksheets></x:ExcelWorkbook>'
    for (const head of [
      `<!--[if gte mso 9]><xml>${list}</xml><![endif]-->`,
      `<xml>${list}</xml>`,
    ]) {
      const { sheets } = await openDocument(
        'html',
        `<html><head>${head}</head>${table('a')}${table('b')}${table('c')}`,
      )
      expect(sheets.map(({ name, isHidden }) => [name, isHidden])).toEqual([
        ['R&D stock', false],
        ['Old', true],
        ['Table 3', false],
      ])
    }
  })

  it('have the names that LibreOffice numbers', async () => {
    expect(
      await namesOf(
        `<h1>Overview</h1><a name="table0"><h1>Sheet 1: <em>Stock</em></h1></a>${table('a')}`,
      ),
    ).toEqual(['Stock'])
  })

  it('are those with data, not those of the layout around them', async () => {
    const page = `<table><tr><td>Menu</td><td><h1>Stock</h1>${table('a')}</td></tr><tr><td>Phone</td><td>123</td></tr></table>`
    expect(await namesOf(page)).toEqual(['Stock'])
    expect(await namesOf(`${EXCEL}<table><tr><td>${table('a')}</td></tr></table>`)).toEqual([
      'Table 1',
    ])
  })

  it('keep tables in their cells as text', async () => {
    const inner = '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>'
    const { csv } = await readDocument(
      'html',
      `<table>${HEADER}<tr><td>${inner}</td><td>1</td><td>2</td></tr><tr><td>d</td><td>3</td><td>4</td></tr></table>`,
    )
    expect(csv).toBe('SKU,Price,Stock\n"a\nb\nc",1,2\nd,3,4\n')
  })

  it('end where another begins outside of a cell', async () => {
    const page = `<table>${HEADER}<tr><td>a</td><td>1</td><td>2</td></tr><table>${HEADER}<tr><td>b</td><td>3</td><td>4</td></tr></table>`
    expect(await namesOf(page)).toEqual(['Table 1', 'Table 2'])
  })

  it('have their foot below, wherever it stands', async () => {
    const foot = '<tfoot><tr><td>Total</td><td></td><td>9</td></tr></tfoot>'
    const body = '<tbody><tr><td>a</td><td>1</td><td>9</td></tr></tbody>'
    for (const rows of [foot + body, body + foot]) {
      const { csv } = await readDocument('html', `<table><thead>${HEADER}</thead>${rows}</table>`)
      expect(csv).toBe('SKU,Price,Stock\na,1,9\nTotal,,9\n')
    }
  })

  it('keep rows and columns that are hidden, which is told', async () => {
    const { csv, problems } = await readExcel(
      '<col width=64><col style="display:none" span=2>' +
        HEADER +
        '<tr style="height:1pt;DISPLAY: none"><td>a</td><td>1</td><td>2</td></tr><tr height=0 style="display:none"><td></td></tr>',
    )
    expect(csv).toBe('SKU,Price,Stock\na,1,2\n')
    expect(problems).toMatchObject([
      { line: 2, message: 'Hidden rows of the sheet were read too', count: 1 },
      { message: 'Hidden columns of the sheet were read too', count: 2 },
    ])
  })

  it('that are hidden are hidden sheets', async () => {
    const page = `${table('a')}<table style="display:none">${HEADER}<tr><td>b</td><td>1</td><td>2</td></tr></table>`
    const { sheets } = await openDocument('html', page)
    expect(sheets.map(({ isHidden }) => isHidden)).toEqual([false, true])
  })

  it('are refused when the file breaks off within one', async () => {
    const whole = `<table>${HEADER}<tr><td>a</td><td>1</td><td>2</td></tr><tr><td>b</td><td>3</td><td>4</td></tr></table>`
    await openDocument('html', whole)
    for (let end = whole.lastIndexOf('<td>'); end < whole.length; end++) {
      await expect(openDocument('html', whole.slice(0, end))).rejects.toMatchObject({
        code: 'truncated',
      })
    }
  })

  it('may be rows alone, as SQLite writes them', async () => {
    const rows = `<TR><TH>sku</TH>\n<TH>qty</TH>\n</TR>\n<TR><TD>a</TD>\n<TD>1</TD>\n</TR>\n`
    expect((await readDocument('html', rows)).csv).toBe('sku,qty\na,1\n')
    await expect(openDocument('html', rows.slice(0, -'</TR>\n'.length))).rejects.toMatchObject({
      code: 'truncated',
    })
    expect((await readTable(rows)).origin?.form).toBe('html')
  })
})

describe('a document is read without a choice', () => {
  const names = '<tr><td>Kod</td><td>Stan w magazynie</td></tr>'
  const rows = '<tr><td>A1</td><td>5</td></tr><tr><td>A2</td><td>7</td></tr>'

  it.each([
    [
      'its header has names of an inventory',
      `<table>${HEADER}<tr><td>a</td><td>1</td><td>2</td></tr></table>`,
    ],
    [
      'its header has two rows, with names that span both',
      '<table><tr><th rowspan=2>SKU</th><th colspan=2>Price</th><th rowspan=2>Stock</th></tr><tr><th>net</th><th>gross</th></tr><tr><td>a</td><td>1</td><td>2</td><td>3</td></tr></table>',
    ],
    [
      'it says that Excel has made it',
      `<meta name=ProgId content=Excel.Sheet><table>${names}${rows}</table>`,
    ],
    [
      'it says that LibreOffice has made it, and has a header',
      `<meta name="generator" content="LibreOffice 7.4.7.2 (Linux)"/><table>${HEADER}<tr><td>a</td><td>1</td><td>2</td></tr></table>`,
    ],
    ['it has the names of Excel', `${EXCEL}<table>${names}${rows}</table>`],
    [
      'it has a header, and formats for Excel',
      `<style>.t{mso-number-format:"\\@"}</style><table>${names.replaceAll('td', 'th')}${rows}</table>`,
    ],
    [
      'it has fields that cannot be changed',
      `<form><input type=hidden name=__VIEWSTATE value=x><div><table rules="all">${HEADER}<tr><td><input type=checkbox disabled></td><td>1</td><td>2</td></tr></table></div></form>`,
    ],
  ])('when %s', async (_why, page) => {
    expect((await openDocument('html', page)).doubt).toBe(undefined)
  })

  it.each([
    ['it has formats for Excel', '<style>.t{mso-number-format:"\\@"}</style>'],
    [
      'it is a text of LibreOffice',
      '<meta name="generator" content="LibreOffice 7.4.7.2 (Linux)"/>',
    ],
  ])('but not where no names are known, although %s', async (_why, head) => {
    const { doubt, sheets } = await openDocument('html', `${head}<table>${names}${rows}</table>`)
    expect(doubt).toBeDefined()
    expect(sheets).toHaveLength(1)
  })
})

describe('the charset of a document', () => {
  const page = (meta: string, text: string) =>
    `<html><head>${meta}</head><table>${HEADER}<tr><td>${text}</td><td>1</td><td>2</td></tr></table>`
  const encode = (text: string, map: Record<string, number>) =>
    Buffer.from(text.split('').map((character) => map[character] ?? character.charCodeAt(0)))
  const CZECH = 'Příliš žluťoučký kůň'
  const WINDOWS_1250 = {
    ř: 0xf8,
    í: 0xed,
    š: 0x9a,
    ž: 0x9e,
    ť: 0x9d,
    č: 0xe8,
    ý: 0xfd,
    ů: 0xf9,
    ň: 0xf2,
  }
  const second = async (...document: Parameters<typeof openDocument>) => {
    const workbook = await openDocument(...document)
    const { csv } = await readSheet(workbook)
    return [csv.split('\n')[1]?.split(',')[0], workbook.encoding]
  }

  it('is UTF-8 when the bytes are, whatever the document says', async () => {
    expect(await second('html', page('<meta charset=windows-1252>', CZECH))).toEqual([
      CZECH,
      'utf-8',
    ])
    expect(await second('html', `\uFEFF${page('', CZECH)}`)).toEqual([CZECH, 'utf-8'])
  })

  it('is UTF-16 with a byte order mark or without', async () => {
    const bytes = (text: string) => Buffer.from(text, 'utf16le')
    expect(await second('html', bytes(`\uFEFF${page('', CZECH)}`))).toEqual([CZECH, 'utf-16le'])
    expect(await second('html', bytes(page('', CZECH)))).toEqual([CZECH, 'utf-16le'])
  })

  it.each([
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1250">',
    '<META HTTP-EQUIV=Content-Type CONTENT="text/html; charset=Windows-1250">',
    "<meta charset='windows-1250'/>",
  ])('is the one that it declares: %s', async (meta) => {
    const bytes = encode(page(meta, CZECH), WINDOWS_1250)
    expect(await second('html', bytes)).toEqual([CZECH, 'windows-1250'])
  })

  it('is the one that it declares, where a guess from one letter would be another', async () => {
    const bytes = (meta: string) => encode(page(meta, 'koń'), { ń: 0xf1 })
    expect(await second('html', bytes(''))).toEqual(['koñ', 'windows-1252'])
    const declared = bytes('<meta charset="windows-1250">')
    expect(await second('html', declared)).toEqual(['koń', 'windows-1250'])
  })

  it('is the one that the server declares, or that is chosen', async () => {
    const bytes = encode(page('', CZECH), WINDOWS_1250)
    expect(await second('html', bytes, { declared: 'windows-1250' })).toEqual([
      CZECH,
      'windows-1250',
    ])
    const other = await second('html', bytes, { encoding: 'iso-8859-2' })
    expect(other).toEqual([expect.stringContaining('Příli'), 'iso-8859-2'])
  })

  it('is guessed otherwise, which is told', async () => {
    const workbook = await openDocument('html', encode(page('', CZECH), WINDOWS_1250))
    expect(workbook.encoding).toBe('windows-1250')
    const problems: unknown[] = []
    workbook.report?.({ add: (...problem) => problems.push(problem), list: () => [] })
    expect(problems).toEqual([
      [
        null,
        expect.stringMatching(/^Read as Windows-1250: check that .* look right/),
        { setting: 'encoding' },
      ],
    ])
  })

  it('is Windows-1252 when the document says so, where a guess could be another one', async () => {
    const bytes = encode(page('<meta charset=iso-8859-1>', 'Gr\u00f6\u00dfe \u00a3'), {})
    expect(await second('html', bytes)).toEqual(['Größe £', 'windows-1252'])
  })
})
