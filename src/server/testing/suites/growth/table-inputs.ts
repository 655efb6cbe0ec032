import { AUTOMATIC_READING } from '../../../../shared/automatic-reading'
import { excelXml, flatOds, ods, worksheet, xlsx } from '../../fixtures/workbooks'
import { type ZipContent, zip, zipEntries } from '../../fixtures/zip'
import { hostileDocuments } from '../hostile/hostile-documents'
import type { SentFile } from './sent-file'

/** As many pieces as have about this size together. */
function list(size: number, toPiece: (index: number) => string): string {
  const pieces: string[] = []
  for (let length = 0; length < size; length += pieces.at(-1)?.length ?? 0) {
    pieces.push(toPiece(pieces.length))
  }
  return pieces.join('')
}

const cell = (value: number | string, attributes = '') => `<c${attributes}><v>${value}</v></c>`
const shared = (index: number) => cell(index, ' t="s"')
const inline = (content: string) => `<c t="inlineStr"><is>${content}</is></c>`
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`
const HEADER = row(inline('<t>sku</t>'), inline('<t>quantity</t>'))
const rows = (size: number, toCell: (index: number) => string) =>
  HEADER + list(size, (index) => row(cell(index), toCell(index)))
/** Ends in the last column that a record may have. */
const LAST_COLUMN = 'BXX'
const FEW_SECTIONS = 60
const NESTED = 240
const ATTRIBUTES = Array.from({ length: 900 }, (_, index) => `a${index}=""`).join(' ')
const LONG = 'x'.repeat(480)
/** Names texts far from each other. */
const STEP = 7_919
const RUNS = '<r><rPr><b/></rPr><t>x</t></r>'.repeat(500)

/** What is slow for a careless reader of Excel workbooks; sizes are those of the XML. */
const books: Record<string, (size: number) => Parameters<typeof xlsx>[0]> = {
  'tiny cells': (size) => ({ rows: rows(size, (index) => cell(index % 10)) }),
  'rows of many cells': (size) => ({ rows: list(size, () => row(cell(1).repeat(1_500))) }),
  'cells at the end of rows': (size) => ({
    rows: list(size / 32, (index) => row(`<c r="${LAST_COLUMN}${index + 1}"><v>1</v></c>`)),
  }),
  'rows without cells': (size) => ({ rows: list(size, () => '<row/>') + HEADER }),
  'shared texts': (size) => ({
    texts: list(size / 2, (index) => `<si><t>Boot, ${index}</t></si>`),
    rows: HEADER + list(size / 4, (index) => row(cell(index), shared(index))),
  }),
  'one shared text, named by all': (size) => ({
    texts: `<si><t>${'"'.repeat(100)}</t></si>`,
    rows: HEADER + list(size / 4, (index) => row(cell(index), shared(0))),
  }),
  'the last of shared texts first': (size) => {
    const count = Math.ceil(size / 2 / 20)
    const texts = Array.from({ length: count }, (_, index) => `<si><t>${index}</t></si>`)
    const last = (index: number) => shared(count - 1 - (index % count))
    return { texts: texts.join(''), rows: rows(size / 2, last) }
  },
  'more shared texts than memory keeps, in no order': (size) => {
    const texts = Array.from(
      { length: (3 * size) / 500 },
      (_, index) => `<si><t>${LONG}${index}</t></si>`,
    )
    const text = (index: number) => shared((index * STEP) % texts.length)
    return { texts: texts.join(''), rows: rows(size / 4, text) }
  },
  'plain texts among others': (size) => ({
    texts: list(size, (index) =>
      index % 2 === 0 ? '<si><t>a</t></si>' : '<si><r><t>b</t></r></si>',
    ),
    rows: HEADER + row(cell(1), shared(Math.floor(size / 50))),
  }),
  'shared texts that are empty': (size) => ({
    texts: list(size, () => '<si/>'),
    rows: HEADER + row(cell(1), shared(Math.floor(size / 6))),
  }),
  'a comment before each shared text': (size) => ({
    texts: list(size, () => '<!-- </si> --><si><t>a</t></si>'),
    rows: HEADER + row(cell(1), shared(Math.floor(size / 40))),
  }),
  'rich texts': (size) => ({
    texts: list(size / 2, () => `<si>${RUNS}</si>`),
    rows: HEADER + list(size / 2, (index) => row(cell(index), inline(RUNS))),
  }),
  'one text of empty runs': (size) => ({
    rows: HEADER + row(cell(1), inline(list(size, () => '<r><t/></r>'))),
  }),
  'one value of empty sections': (size) => ({
    rows: HEADER + row(cell(list(size, () => '<![CDATA[]]>'))),
  }),
  'escapes and entities': (size) => ({
    rows: rows(size, () => cell('_x000D_&#x5F;x&amp;&quot;'.repeat(100), ' t="str"')),
  }),
  'long numbers': (size) => ({ rows: rows(size, () => cell(`0${'.1'.repeat(2_000)}`)) }),
  'nested elements': (size) => ({
    rows: rows(size, () => '<x>'.repeat(NESTED) + '</x>'.repeat(NESTED)),
  }),
  'elements of many attributes': (size) => ({
    rows: HEADER + list(size, (index) => `<row ${ATTRIBUTES}>${cell(index)}</row>`),
  }),
  'ranges of columns and merged cells': (size) => ({
    before: `<cols>${list(size / 2, () => '<col min="1" max="16384" hidden="1"/>')}</cols>`,
    rows: HEADER,
    after: `<mergeCells>${list(size / 2, () => '<mergeCell ref="A1:XFD1048576"/>')}</mergeCells>`,
  }),
  'number formats': (size) => ({
    formats: Array.from(
      { length: size / 1_000 },
      (_, index) => `${'[<'.repeat(200)}${'"0'.repeat(200)}${index}`,
    ),
    rows: rows(0, () => cell(1, ' s="1"')),
  }),
  'a number format of many sections': (size) => ({
    formats: [Array.from({ length: FEW_SECTIONS }, (_, index) => `[<${index}]00`).join(';')],
    rows: rows(size, (index) => cell(index % 100, ' s="0"')),
  }),
  dates: (size) => ({
    formats: [14],
    rows: rows(size, (index) => cell(index + 0.123, ' s="0"')),
  }),
  'many sheets without cells': (size) => ({
    sheets: Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `S${index}`,
        worksheet(index < 59 ? list(size / 60, () => '<row/>') : HEADER),
      ]),
    ),
  }),
}

const odsCell = (content: string, attributes = '') =>
  `<table:table-cell${attributes}>${content}</table:table-cell>`
const odsText = (text: string) => odsCell(`<text:p>${text}</text:p>`)
const odsNumber = (value: number, attributes = '') =>
  odsCell('', ` office:value-type="float" office:value="${value}"${attributes}`)
const odsStyle = (name: string, attributes: string) =>
  `<style:style style:name="${name}" style:family="table-cell" ${attributes}/>`
const odsStyles = (styles: string) =>
  `<office:document-styles xmlns:office="o" xmlns:style="s"><office:styles>${styles}</office:styles></office:document-styles>`
const MAPS = '<style:map style:condition="value()&gt;9" style:apply-style-name="n0"/>'.repeat(20)
const odsRow = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
const ODS_HEADER = odsRow(odsText('sku'), odsText('quantity'))
const odsRows = (size: number, toCell: (index: number) => string) =>
  ODS_HEADER + list(size, (index) => odsRow(odsText(`${index}`), toCell(index)))

const documents: Record<string, (size: number) => Parameters<typeof ods>[0]> = {
  'ordinary cells': (size) => ({
    rows: odsRows(size, (index) => odsNumber(index)),
  }),
  'a repeated row': (size) => ({
    rows: `${ODS_HEADER}<table:table-row table:number-rows-repeated="${Math.ceil(size / 8)}">${odsText('1')}${odsText('2')}</table:table-row>`,
  }),
  'repeated cells': (size) => ({
    rows: list(size / 32, () =>
      odsRow(odsCell('<text:p>1</text:p>', ' table:number-columns-repeated="1500"')),
    ),
  }),
  'repeated cells without text': (size) => ({
    rows: odsRows(size, () => odsCell('', ' table:number-columns-repeated="16384"')),
  }),
  'many paragraphs': (size) => ({
    rows: odsRows(size, () => odsCell('<text:p>a</text:p>'.repeat(5_000))),
  }),
  'texts of blanks': (size) => ({
    rows: odsRows(size / 16, () => odsText('<text:s text:c="30000"/>x')),
  }),
  'one text of blanks': (size) => ({
    rows: ODS_HEADER + odsRow(odsText(list(size, () => '<text:s text:c="30000"/>'))),
  }),
  'one text of comments': (size) => ({
    rows:
      ODS_HEADER +
      odsRow(
        odsCell(list(size, () => '<office:annotation><text:p>a</text:p></office:annotation>')),
      ),
  }),
  'styles that inherit': (size) => ({
    parts: {
      'styles.xml': odsStyles(
        list(size / 2, (index) => odsStyle(`s${index}`, `style:parent-style-name="s${index - 1}"`)),
      ),
    },
    rows: odsRows(size / 2, (index) => odsNumber(1, ` table:style-name="s${index}"`)),
  }),
  'number formats': (size) => ({
    styles: list(
      size / 2,
      (index) =>
        `<number:number-style style:name="n${index}"><number:number number:min-integer-digits="99"/>${MAPS}</number:number-style>${odsStyle(`s${index}`, `style:data-style-name="n${index}"`)}`,
    ),
    rows: odsRows(size / 8, (index) => odsNumber(1, ` table:style-name="s${index % 100}"`)),
  }),
  'many sheets': (size) => ({
    sheets: Array.from(
      { length: 60 },
      (_, index) =>
        `<table:table table:name="S${index}">${odsRows(size / 1_000, () => odsText('1'))}</table:table>`,
    ).join(''),
  }),
}

const bookCell = (text: number | string, attributes = '', type = 'String') =>
  `<Cell${attributes}><Data ss:Type="${type}">${text}</Data></Cell>`
const bookRow = (...cells: string[]) => `<Row>${cells.join('')}</Row>`
const BOOK_HEADER = bookRow(bookCell('sku'), bookCell('quantity'))
const bookRows = (size: number, toCell: (index: number) => string) =>
  BOOK_HEADER + list(size, (index) => bookRow(bookCell(index), toCell(index)))

const excelTexts: Record<string, (size: number) => Parameters<typeof excelXml>[0]> = {
  'ordinary cells': (size) => ({
    rows: bookRows(size, (index) => bookCell(index % 100, '', 'Number')),
  }),
  'cells at the end of rows': (size) => ({
    rows: list(size / 32, (index) => bookRow(bookCell(index, ' ss:Index="1990"'))),
  }),
  'rows without cells': (size) => ({ rows: BOOK_HEADER + list(size, () => '<Row/>') }),
  'styles that inherit': (size) => ({
    styles: list(
      size / 2,
      (index) =>
        `<Style ss:ID="s${index}" ss:Parent="s${index - 1}"><NumberFormat ss:Format="00000"/></Style>`,
    ),
    rows: bookRows(size / 2, (index) => bookCell(index, ` ss:StyleID="s${index}"`, 'Number')),
  }),
  'columns of all sheets': (size) => ({
    sheets: list(
      size,
      (index) =>
        `<Worksheet ss:Name="S${index}"><Table><Column ss:Span="16383" ss:Hidden="1" ss:StyleID="a"/>${BOOK_HEADER.repeat(20)}</Table></Worksheet>`,
    ),
    styles: '<Style ss:ID="a"><NumberFormat ss:Format="00"/></Style>',
  }),
  'dates and times': (size) => ({
    rows: bookRows(size, () => bookCell('2026-11-25T14:30:00.000', '', 'DateTime')),
  }),
  'rich texts': (size) => ({
    rows: bookRows(size, () => bookCell('<B>a</B><Font>b</Font>'.repeat(1_000))),
  }),
}

const HTML_HEADER = '<tr><th>sku</th><th>quantity</th></tr>'
const htmlRows = (size: number, toCell: (index: number) => string) =>
  `<table>${HTML_HEADER}${list(size, (index) => `<tr><td>${index}</td>${toCell(index)}</tr>`)}</table>`

/** What is slow for a careless reader of HTML, such as one that keeps a stack of tags. */
const pages: Record<string, (size: number) => string> = {
  'ordinary cells': (size) => htmlRows(size, (index) => `<td>${index % 100}</td>`),
  'tags that are never closed': (size) => htmlRows(size, () => '<td><b><i><font><p>1'),
  'tags that were never opened': (size) => htmlRows(size, () => '<td>1</b></i></font></p></span>'),
  'tables in tables': (size) => htmlRows(size, () => `<td>${'<table><tr><td>a'.repeat(100)}</td>`),
  'many small tables': (size) =>
    list(size, () => '<table><tr><td>a</td></tr></table>') + htmlRows(0, () => ''),
  'cells that span rows and columns': (size) =>
    htmlRows(size / 8, () => '<td rowspan=65534 colspan=9>1</td><td>2'),
  'empty cells behind spanned ones': (size) =>
    `<table>${HTML_HEADER}<tr><td rowspan=65534 colspan=2048></td></tr>${list(size / 8, () => '<tr><td>')}</table>`,
  entities: (size) => htmlRows(size, () => `<td>${'&amp;&#8364;&notin;&x'.repeat(200)}</td>`),
  blanks: (size) => htmlRows(size, () => `<td>${'&nbsp; \n'.repeat(1_000)}x</td>`),
  'line breaks': (size) => htmlRows(size, () => `<td>${'a<br>'.repeat(1_000)}x</td>`),
  attributes: (size) => htmlRows(size, () => `<td ${ATTRIBUTES}>1</td>`),
  'rules for Excel': (size) =>
    `<style>${list(size / 2, (index) => `.a${index}{mso-number-format:"0000"}`)}</style>${htmlRows(size / 2, (index) => `<td class=a${index}>1</td>`)}`,
  'rules that hide': (size) =>
    `<style>${list(size / 2, (index) => `.a${index}, td.b${index}{display:none}`)}${', \n'.repeat(size / 16)}</style>${htmlRows(size / 4, (index) => `<td class="b a${index}">1</td>`)}`,
  'texts that are struck out': (size) =>
    htmlRows(size, () => `<td>${'<s>1</s>2<del>'.repeat(500)}`),
  'raised digits and images': (size) =>
    htmlRows(size, () => `<td>${'1<sup>2</sup><img alt="x">'.repeat(300)}`),
  'rows of one cell and merged cells': (size) =>
    htmlRows(size, () => '<td rowspan=2>1</td></tr><tr><td colspan=2>x</td>'),
  'formats of cells': (size) =>
    htmlRows(size, (index) => `<td style='mso-number-format:"00${index}"' x:num="1">1</td>`),
  'numbers of cells': (size) =>
    htmlRows(size, (index) => `<td x:num="${index}.123456">${'1 '.repeat(20)}</td>`),
  'comments within comments': (size) =>
    `<!--${list(Math.min(size, 900_000), () => '<!x:ExcelWorksheet>')}-->${htmlRows(size, () => '<td>1</td>')}`,
  'layouts of a web page': (size) =>
    list(size, () => '<table><tr><td><a href="#">a</a><td>b<tr><td>c<td>d</table>'),
  'bytes that are not UTF-8': (size) => htmlRows(size, () => '<td>\u00e4\u00f6\u00fc</td>'),
}

const csv = (size: number) => `sku,quantity\n${list(size, (index) => `${index},1\n`)}`

const stored = (content: string): ZipContent => ({ content, options: { method: 0 } })
const EMPTY = stored('')

const archives: Record<string, (size: number) => Buffer> = {
  'a deflated table': (size) => zip({ 'stock.csv': csv(size) }),
  'a stored table': (size) => zip({ 'stock.csv': stored(csv(size)) }),
  'many files': (size) =>
    zipEntries(
      Array.from({ length: size / 250 }, (_, index) => [
        `${'/.~$a'.repeat(20)}${index}.csv`,
        EMPTY,
      ]),
    ),
  'the same path many times': (size) =>
    zipEntries(Array.from({ length: size / 250 }, () => ['stock.csv', EMPTY])),
}

/** Archives, workbooks and documents that are slow for a careless reader of them. */
export const tableInputs: Readonly<Record<string, (size: number) => SentFile>> = Object.fromEntries(
  [
    ...listInputs('Excel', books, xlsx),
    ...listInputs('OpenDocument', documents, ods),
    ...listInputs('flat OpenDocument', documents, (parts) => Buffer.from(flatOds(parts))),
    ...listInputs('XML of Excel 2003', excelTexts, (parts) => Buffer.from(excelXml(parts))),
    ...listInputs('HTML', pages, (page) => Buffer.from(page, 'latin1')),
    ...listInputs('ZIP', archives, (bytes) => bytes),
    ...listInputs('Document', hostileDocuments, (text) => Buffer.from(text)),
  ],
)

function listInputs<T>(
  form: string,
  makers: Record<string, (size: number) => T>,
  toBytes: (made: T) => Buffer,
): [string, (size: number) => SentFile][] {
  return Object.entries(makers).map(([name, make]) => [
    `${form}: ${name}`,
    (size) => ({ bytes: toBytes(make(size)), reading: AUTOMATIC_READING }),
  ])
}
