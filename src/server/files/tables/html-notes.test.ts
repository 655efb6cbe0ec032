import { describe, expect, it } from 'vitest'

import { readSheet } from '../../testing/fixtures/workbooks'
import { openDocument, readDocument } from '../../testing/stages/text-documents'
import { createProblemLog } from '../read/problems'

const HEADER = '<tr><th>SKU</th><th>Price</th><th>Stock</th></tr>'
const row = (sku: string, price = '1', stock = '2') =>
  `<tr><td>${sku}</td><td>${price}</td><td>${stock}</td></tr>`
const table = (...rows: string[]) => `<table>${HEADER}${rows.join('')}</table>`

const read = async (html: string) => {
  const { csv, problems } = await readDocument('html', html)
  return { csv, notes: problems.map(({ message }) => message) }
}

async function notesOfDocument(html: string): Promise<string[]> {
  const problems = createProblemLog()
  const workbook = await openDocument('html', html)
  workbook.report?.(problems)
  return problems.list().map(({ message }) => message)
}

describe('suppliers are told of an HTML table', () => {
  it('nothing where it is as it is shown', async () => {
    expect((await read(table(row('A'), row('B')))).notes).toEqual([])
    expect(await notesOfDocument(table(row('A'), row('B')))).toEqual([])
  })

  it('that what is struck out was left out beside other texts', async () => {
    const { csv, notes } = await read(table(row('A', '<s>9.90</s><b>8</b>'), row('<del>B</del>')))
    expect(csv).toBe('SKU,Price,Stock\nA,8,2\nB,1,2\n')
    expect(notes).toEqual([
      expect.stringContaining('struck out, such as old prices, were left out'),
      expect.stringContaining('struck out as a whole'),
    ])
  })

  it.each([
    ['<span style="text-decoration: line-through"><b>9</b>.90</span> 8', ''],
    ['<span class="old">9.90</span> 8', '<style>.old{text-decoration:line-through}</style>'],
  ])('that what a style strikes out was left out: %s', async (price, style) => {
    const { csv, notes } = await read(style + table(row('A', price), row('B')))
    expect(csv).toBe('SKU,Price,Stock\nA,8,2\nB,1,2\n')
    expect(notes).toEqual([expect.stringContaining('struck out, such as old prices')])
  })

  it.each(['<i class="fa fa-check"></i>', '<svg><path/></svg>', '<meter value="3"></meter>'])(
    'that cells show something without a text: %s',
    async (sign) => {
      const { notes } = await read(table(row('A', '1', sign), row('B')))
      expect(notes).toEqual([expect.stringContaining('only an image')])
    },
  )

  it('that texts are cut off', async () => {
    const { notes } = await read(table(row('A long na…'), row('B')))
    expect(notes).toEqual([expect.stringContaining('Texts end with “…”')])
  })

  it('that sections are hidden, and the foot was read', async () => {
    const { notes } = await read(
      `<table>${HEADER}${row('A')}<tbody style="display:none">${row('B')}</tbody><tfoot>${row('', '2', '4')}</tfoot></table>`,
    )
    expect(notes).toEqual([
      expect.stringContaining('Hidden rows'),
      expect.stringContaining('Rows of the foot'),
    ])
  })

  it('that cells are merged across', async () => {
    const { notes } = await read(table(row('A'), '<tr><td>B<td colspan="2">sold out</tr>'))
    expect(notes).toEqual([expect.stringContaining('merged across')])
  })

  it('that columns are named in another order further down', async () => {
    const other = '<tr><th>SKU</th><th>Stock</th><th>Price</th></tr>'
    const { notes } = await read(table(row('A'), HEADER, row('B'), other, row('C')))
    expect(notes).toEqual([expect.stringContaining('name other columns')])
  })

  it.each([
    '<p>Showing <b>1</b> to <b>2</b> of <b>1,600</b> entries</p>',
    '<div>Seite 1 von 12</div>',
    '<a href="?2">Next »</a>',
    '<a href="?2">Nächste Seite</a>',
  ])('that it is one page of several: %s', async (pager) => {
    const notes = await notesOfDocument(table(row('A'), row('B')) + pager)
    expect(notes).toEqual([expect.stringContaining('another one follows')])
  })

  it('nothing of pages where this is the last one', async () => {
    const pager = '<p>Showing 1 to 2 of 2 entries</p><p>Page 1 of 1</p><a href="/">Home</a>'
    expect(await notesOfDocument(table(row('A'), row('B')) + pager)).toEqual([])
  })

  it('that raised digits stand at digits', async () => {
    const { csv, notes } = await read(table(row('m<sup>2</sup>', '1', '3<sup>2</sup>'), row('B')))
    expect(csv).toBe('SKU,Price,Stock\nm2,1,32\nB,1,2\n')
    expect(notes).toEqual([expect.stringContaining('Raised or lowered digits')])
  })

  it('that cells have only an image', async () => {
    const image = '<img src="a.png" alt="in stock">'
    const { csv, notes } = await read(table(row('A', '1', image), row(`B ${image}`)))
    expect(csv).toBe('SKU,Price,Stock\nA,1,in stock\nB,1,2\n')
    expect(notes).toEqual([expect.stringContaining('only an image')])
  })

  it('that cells are hidden', async () => {
    const hidden = '<tr><td>A<td style="display: none">99<td>5</tr>'
    const { notes } = await read(table(hidden, hidden))
    expect(notes).toEqual([expect.stringContaining('Hidden cells of the table were read')])
  })

  it('that cells have tables in them', async () => {
    const inner = '<table><tr><td>NY<td>5<tr><td>LA<td>6</table>'
    const { notes } = await read(table(row('A', '1', inner), row('B'), row('C')))
    expect(notes).toContainEqual(expect.stringContaining('Cells have tables in them'))
  })

  it('that rows have one cell across all columns', async () => {
    const heading = '<tr><td colspan="3">Boots</td></tr>'
    const { notes } = await read(table(row('A'), heading, row('B')))
    expect(notes).toEqual([expect.stringContaining('one cell across several columns')])
  })

  it('that cells are merged down', async () => {
    const merged =
      '<tr><td>A</td><td rowspan="2">1</td><td>2</td></tr><tr><td>B</td><td>3</td></tr>'
    const { csv, notes } = await read(table(row('Z'), merged))
    expect(csv).toBe('SKU,Price,Stock\nZ,1,2\nA,1,2\nB,,3\n')
    expect(notes).toEqual([expect.stringContaining('merged down')])
  })

  it('that formulas for texts were read as the texts', async () => {
    const { csv, notes } = await read(table(row('="0012"'), row('B')))
    expect(csv).toBe('SKU,Price,Stock\n0012,1,2\nB,1,2\n')
    expect(notes).toEqual([expect.stringContaining('Formulas for a text')])
  })

  it('that other tables were left out', async () => {
    const more = `<table>${row('C')}${row('D')}</table>`
    const small = '<table><tr><td>only a text</td></tr></table>'
    expect(await notesOfDocument(table(row('A')) + small)).toEqual([])
    expect(await notesOfDocument(table(row('A')) + more)).toEqual([
      expect.stringContaining('Tables of the file were left out'),
    ])
  })

  it('that another page follows', async () => {
    expect(await notesOfDocument(`${table(row('A'))}<a rel="next" href="?2">2</a>`)).toEqual([
      expect.stringContaining('another one follows'),
    ])
  })
})

describe('a table of an order', () => {
  it.each(['<title>Order confirmation</title>', '<p>Dear customer, your order no. 17</p>'])(
    'is asked about because of what the page says: %s',
    async (text) => {
      const workbook = await openDocument('html', text + table(row('A'), row('B')))
      expect(workbook.doubt).toMatchObject({ code: 'not-csv-html' })
    },
  )

  it.each(['Invoice 2026-17', 'Your order', 'Warenkorb'])('is asked about: %s', async (name) => {
    const rows = table(row('A'), row('B'))
    expect((await openDocument('html', `<h1>${name}</h1>${rows}`)).doubt?.code).toBe('not-csv-html')
    expect((await openDocument('html', `<h1>Price list</h1>${rows}`)).doubt).toBeUndefined()
  })
})

describe('what a style hides', () => {
  it.each(['.sort { display: none }', 'td.x{color:red}\n span.sort{display:none;color:red}'])(
    'is no text of a cell: %s',
    async (css) => {
      const html = `<style>${css}</style>${table(row('<span class="a sort">001</span>A'), row('B'))}`
      expect((await read(html)).csv).toBe('SKU,Price,Stock\nA,1,2\nB,1,2\n')
    },
  )

  it.each(['@media print { .sort { display: none } }', '.menu .sort{display:none}'])(
    'is one if it is hidden only elsewhere: %s',
    async (css) => {
      const html = `<style>${css}</style>${table(row('<span class="sort">001</span>A'), row('B'))}`
      expect((await read(html)).csv).toContain('001A')
    },
  )
})

describe('a table alone', () => {
  const unknown =
    '<table><tr><td>Article</td><td>Value</td></tr><tr><td>01</td><td>2</td></tr></table>'

  it('can be chosen, although nothing shows that it is an inventory', async () => {
    const workbook = await openDocument('html', unknown)
    expect(workbook.doubt?.code).toBe('not-csv-html')
    expect((await readSheet(workbook)).csv).toBe('Article,Value\n01,2\n')
  })

  it.each(['<title>Error</title>', '<h1>Error</h1>', '<a href="/">Home</a>'])(
    'is none on a page: %s',
    async (more) => {
      await expect(openDocument('html', more + unknown)).rejects.toMatchObject({
        code: 'not-csv-html',
      })
    },
  )

  it.each([
    ['Order no', 'Date', 'Product', 'Quantity', 'Price'],
    ['Date', 'Quantity', 'Price'],
  ])('is asked about if it has nothing by which items are known', async (...names) => {
    const cells = (tag: string, texts: readonly string[]) =>
      `<tr>${texts.map((text) => `<${tag}>${text}</${tag}>`).join('')}</tr>`
    const html = `<table>${cells('th', names)}${cells(
      'td',
      names.map(() => '1'),
    )}</table>`
    expect((await openDocument('html', html)).doubt?.code).toBe('not-csv-html')
  })
})
