import { describe, expect, it } from 'vitest'

import type { Origin } from '../../../../shared/schemas/file'
import type { RecordPlace } from '../../../../shared/schemas/record-place'
import { DOCUMENTS } from '../../../testing/fixtures/documents'
import { previewDocument, readDocument } from '../../../testing/stages/document-stage'

const place = (path: string, variants?: string): RecordPlace => ({
  path: path.split('/'),
  variants: variants?.split('/') ?? null,
})
const previously = (records: RecordPlace, form: Origin['form'] = 'xml'): Origin => ({
  form,
  sheets: [],
  member: null,
  records,
})
const CATEGORIES = place('yml_catalog/shop/categories/category')
const OFFERS = place('yml_catalog/shop/offers/offer')
const list = (name: string, ...records: string[]) =>
  `<${name}s>${records.map((record) => `<${name}>${record}</${name}>`).join('')}</${name}s>`
const MEGABYTE = 1024 * 1024

describe('the records that are read', () => {
  it('are those that the supplier has chosen', async () => {
    const { rows, origin, notes } = await readDocument(DOCUMENTS.yml, { records: CATEGORIES })
    expect(origin).toEqual(previously(CATEGORIES))
    expect(rows[1]).toEqual(['1', 'Обувь', ''])
    expect(notes).toEqual([])
  })

  it('are refused if the chosen ones are gone, with what there is', async () => {
    const gone = { records: place('yml_catalog/shop/goods/good') }
    const refusal = {
      code: 'wrong-choice',
      message:
        'The file has no records at the chosen “yml_catalog/shop/goods/good”. It has “yml_catalog/shop/offers/offer”, “yml_catalog/shop/categories/category”, “yml_catalog/shop/currencies/currency”.',
    }
    await expect(readDocument(DOCUMENTS.yml, gone)).rejects.toMatchObject(refusal)
    await expect(previewDocument(DOCUMENTS.yml, gone)).rejects.toMatchObject(refusal)
    const variants = { records: { ...OFFERS, variants: ['sizes', 'size'] } }
    await expect(readDocument(DOCUMENTS.yml, variants)).rejects.toMatchObject({
      code: 'wrong-choice',
    })
  })

  it('are those of the file before, as long as there are some', async () => {
    const kept = await readDocument(DOCUMENTS.yml, { previous: previously(CATEGORIES) })
    expect(kept.origin?.records).toEqual(CATEGORIES)
    const gone = await readDocument(DOCUMENTS.yml, {
      previous: previously(place('yml_catalog/old')),
    })
    expect(gone.origin?.records).toEqual(OFFERS)
  })

  it('are told with others that the file has', async () => {
    const lists = [
      list('part', '<sku>A</sku><price>1</price>', '<sku>B</sku><price>1</price>'),
      list('fee', '<name>a</name><price>1</price>', '<name>b</name><price>2</price>'),
    ]
    const { notes } = await readDocument(`<r>${lists.join('')}</r>`)
    expect(notes).toEqual(['2 items of r/parts/part were read. The file also has r/fees/fee (2).'])
  })

  it('are refused until they are chosen if two lists may be meant, and previewed', async () => {
    const record = '<sku>A</sku><price>1</price>'
    const xml = `<r>${list('shoe', record, record)}<x/>${list('hat', record, record)}<y>1</y></r>`
    await expect(readDocument(xml)).rejects.toMatchObject({
      code: 'several-tables',
      message:
        'The file has several lists that may be the table: “r/shoes/shoe” and “r/hats/hat”. Choose one of them in the preview.',
    })
    const preview = await previewDocument(xml)
    expect(preview.problems).toMatchObject([
      {
        setting: 'records',
        message:
          '2 items of r/shoes/shoe were read. The file also has r/hats/hat (2). A sync reads none of them until they are chosen.',
      },
    ])
    const chosen = await readDocument(xml, { records: place('r/hats/hat') })
    expect(chosen.rows).toHaveLength(3)
  })

  it.each([
    ['names and types', '[{"name":"id","type":"text"},{"name":"sku","type":"text"}]'],
    [
      'articles',
      `<feed>${'<entry><id>1</id><title>News</title><updated>2026</updated></entry>'.repeat(2)}</feed>`,
    ],
  ])('are refused until they are chosen if they are not known as goods: %s', async (_, content) => {
    await expect(readDocument(content)).rejects.toMatchObject({
      code: 'several-tables',
      message: expect.stringContaining('its fields are not known as those of goods'),
    })
    const { problems, parts } = await previewDocument(content)
    expect(problems).toMatchObject([
      {
        setting: 'records',
        message: expect.stringMatching(/none of them until they are chosen\.$/),
      },
    ])
    const [records] = parts.records
    expect((await readDocument(content, { records })).rows).toHaveLength(3)
  })

  it('have variants that are alone in their lists', async () => {
    const xml = list(
      'product',
      '<sku>P1</sku><variants><variant><sku>V1</sku><qty>1</qty></variant></variants>',
      '<sku>P2</sku><variants><variant><sku>V2</sku><qty>2</qty></variant></variants>',
    )
    const { rows, origin } = await readDocument(xml)
    expect(origin?.records).toEqual(place('products/product', 'variants/variant'))
    expect(rows).toEqual([
      ['product/sku', 'sku', 'qty'],
      ['P1', 'V1', '1'],
      ['P2', 'V2', '2'],
    ])
  })

  it('are objects with types around their values, and no lists of columns', async () => {
    const item = (sku: string) => ({ sku: { S: sku }, qty: { N: '1' }, name: { S: 'Boot' } })
    const content = JSON.stringify({ Items: [item('A'), item('B')] })
    const { parts } = await previewDocument(content)
    expect(parts.records).toContainEqual(
      expect.objectContaining({ path: ['Items'], header: ['sku.S', 'qty.N', 'name.S'] }),
    )
  })

  it('are read again with what only the rest of a large file shows', async () => {
    const filler = `<sku>A</sku><qty>1</qty><text>${'x'.repeat(1000)}</text>`
    const late =
      '<sku>Z</sku><qty>1</qty><text>a <b>bold</b> word</text><param name="Size">L</param>'
    const xml = list('item', ...Array.from({ length: 2_200 }, () => filler), late)
    const { rows } = await readDocument(xml)
    expect(rows[0]).toEqual(['sku', 'qty', 'text', 'Size'])
    expect(rows.at(-1)).toEqual(['Z', '1', 'a bold word', 'L'])
    const variants = '<variants><variant><sku>V</sku><qty>2</qty></variant></variants>'
    const withVariants = list(
      'item',
      ...Array.from({ length: 2_200 }, () => filler),
      `${late}${variants}`,
    )
    expect((await readDocument(withVariants)).rows.at(-1)).toContain('V')
  })

  it('are told if they are perhaps no goods', async () => {
    const { notes } = await readDocument('[{"id":1,"weight":2},{"id":2,"weight":3}]')
    expect(notes).toEqual([
      '2 items of the list were read. It is not certain that they are the items of an inventory.',
    ])
  })

  it('may be in messages', async () => {
    const message = '<Message><MessageID>1</MessageID><Item><SKU>A</SKU></Item></Message>'
    const { rows } = await readDocument(`<Envelope>${message.repeat(2)}</Envelope>`)
    expect(rows[0]).toEqual(['MessageID', 'Item/SKU'])
  })

  it('are a single item if it has what an item has', async () => {
    expect((await readDocument('<r><item><sku>A</sku><qty>1</qty></item></r>')).rows).toHaveLength(
      2,
    )
    expect((await readDocument('{"items":[{"sku":"A","qty":1}]}')).rows).toHaveLength(2)
  })
})

describe('variants', () => {
  const xml = (name: string, inner: string) => {
    const variants = list(name, inner, inner)
    return `<r>${`<product><sku>P</sku><name>n</name><price>1</price>${variants}</product>`.repeat(2)}</r>`
  }
  it.each([
    ['variant', '<colour>red</colour><size>1</size>', true],
    ['item', '<sku>A</sku><price>1</price>', true],
    ['option', '<ean>1</ean><qty>2</qty>', true],
    ['option', '<name>Colour</name><value>red</value>', false],
    ['image', '<id>1</id><price>2</price>', false],
    ['related', '<sku>A</sku><price>1</price>', false],
    ['stock', '<warehouse>A</warehouse><qty>1</qty>', false],
    ['tierprice', '<qty>10</qty><price>9</price>', false],
    ['barcode', '<type>EAN</type><ean>1</ean>', false],
    ['variationprice', '<id>1</id><price>9</price>', false],
    ['pricing', '<unit>C62</unit><price>9</price>', false],
  ])('are found in records: %s of %s: %s', async (name, inner, areVariants) => {
    const { origin } = await readDocument(xml(name, inner))
    expect(origin?.records?.variants ?? null).toEqual(areVariants ? [`${name}s`, name] : null)
  })

  it('may be told apart by names only', async () => {
    const json = '[{"name":"Boot","variants":{"V1":{"sku":"1","qty":1},"V2":{"sku":"2","qty":2}}}]'
    const { rows, origin } = await readDocument(json)
    expect(origin?.records).toEqual({ path: [], variants: ['variants', '*'] })
    expect(rows).toEqual([
      ['name', 'key', 'sku', 'qty'],
      ['Boot', 'V1', '1', '1'],
      ['Boot', 'V2', '2', '2'],
    ])
  })
})

describe('a large document', () => {
  const filler = (bytes: number) =>
    list(
      'c',
      ...Array.from(
        { length: bytes / 60 },
        (_, at) => `<id>${at}</id><text>${'x'.repeat(30)}</text>`,
      ),
    )
  const items = list(
    'item',
    ...Array.from({ length: 200 }, (_, at) => `<sku>${at}</sku><price>1</price><qty>2</qty>`),
  )

  it('is read as its whole shows, and the supplier is told, if its beginning misleads', async () => {
    const xml = `<r>${filler(2.2 * MEGABYTE)}${items}</r>`
    const { rows, origin, notes } = await readDocument(xml)
    expect(origin?.records).toEqual(place('r/items/item'))
    expect(rows).toHaveLength(201)
    expect(notes[1]).toBe(
      '“r/items/item” was read, although the beginning of the file has “r/cs/c”, because it has more of what an inventory has.',
    )
    const known = await previewDocument(xml, { previous: previously(place('r/items/item')) })
    expect(known).toMatchObject({ columns: ['sku', 'price', 'qty'], rowsRead: 200 })
  })

  it('is previewed by its beginning alone', async () => {
    const xml = `<r>${items.repeat(1_000)}`
    let read = 0
    async function* counted() {
      for (let at = 0; at < xml.length; at += 65_536) {
        read += 65_536
        yield Buffer.from(xml.slice(at, at + 65_536))
      }
    }
    const preview = await previewDocument(counted())
    expect(preview).toMatchObject({ isPartial: true, columns: ['sku', 'price', 'qty'] })
    expect(preview.parts.records[0]).toMatchObject({
      path: ['r', 'items', 'item'],
      isWhole: false,
      header: ['sku', 'price', 'qty'],
      firstRows: [
        ['0', '1', '2'],
        ['1', '1', '2'],
        ['2', '1', '2'],
      ],
    })
    expect(xml.length).toBeGreaterThan(8 * MEGABYTE)
    expect(read).toBeLessThanOrEqual(2 * MEGABYTE + 65_536)
  })
})
