import { describe, expect, it } from 'vitest'

import { readDocument } from '../../../testing/stages/document-stage'

const GOODS = [1, 2, 3, 4].map((at) => ({ sku: `A${at}`, name: 'Boot', price: at, qty: at }))
const notesOf = async (content: unknown) =>
  (await readDocument(typeof content === 'string' ? content : JSON.stringify(content))).notes
const xmlOf = (record: (at: number) => string) =>
  `<items>${[1, 2, 3].map((at) => `<item><sku>A${at}</sku>${record(at)}</item>`).join('')}</items>`
const MORE_PAGES = expect.stringContaining('it is one page of several')

describe('suppliers are told', () => {
  it('nothing of a list that has all there is', async () => {
    expect(await notesOf({ ok: true, count: 4, next: null, errors: [], products: GOODS })).toEqual(
      [],
    )
    expect(await notesOf({ offset: 0, products: GOODS })).toEqual([])
    expect(await notesOf({ limit: 4, total: 4, products: GOODS })).toEqual([])
    expect(await notesOf({ limit: 4, next: null, products: GOODS })).toEqual([])
    expect(await notesOf({ page: '2 of 2', last: true, products: GOODS })).toEqual([])
  })

  it.each([
    { products: GOODS, next: 'https://shop.example/?page=2' },
    { products: GOODS, paging: { next: { href: '?page=2' } } },
    { data: { products: { nodes: GOODS, pageInfo: { hasNextPage: true } } } },
    { products: GOODS, meta: { pagination: { total: 600 } } },
    { products: GOODS, page: 1, total_pages: 150 },
    { products: GOODS, limit: 4, offset: 0, count: 400 },
    { products: GOODS, offset: 'itr123/rec2' },
    { 'hydra:member': GOODS, 'hydra:totalItems': 60 },
    { hits: { total: { value: 500 }, hits: GOODS } },
    { products: GOODS, total: { products: 60 } },
    { products: GOODS, total: '1,600' },
    { products: GOODS, is_last_page: false },
    { products: GOODS, page: '1 of 12' },
    { products: GOODS, totalNumberOfPages: 7 },
    { products: GOODS, links: [{ rel: 'self' }, { rel: 'next', href: '?2' }] },
    { products: GOODS, limit: 4, offset: 0 },
    `<r><HasMoreItems>true</HasMoreItems>${xmlOf(() => '<qty>1</qty>')}</r>`,
    `<r>${xmlOf(() => '<qty>1</qty>')}<trailer><recordCount>600</recordCount></trailer></r>`,
    `<r><link rel="next" href="?2"/>${xmlOf(() => '<qty>1</qty>')}</r>`,
  ])('that a file is one page of several: %j', async (content) => {
    expect(await notesOf(content)).toEqual([MORE_PAGES])
  })

  it.each([
    GOODS.map((good) => ({ ...good, parts: { nodes: [1], pageInfo: { hasNextPage: true } } })),
    GOODS.map((good) => ({ ...good, 'parts@odata.nextLink': '?2' })),
  ])('that a list in records goes on elsewhere: %j', async (...content) => {
    expect(await notesOf(content)).toEqual([
      'Records say that a list in them goes on elsewhere; only what is in the file was read.',
    ])
  })

  it.each([
    ['prices', GOODS.map(({ price, ...good }) => ({ ...good, prices: [{ amount: price }] }))],
    ['price', GOODS.map(({ price, ...good }) => ({ ...good, price: [{ _: price }] }))],
    [
      'stock.levels',
      GOODS.map(({ qty, ...good }) => ({ ...good, stock: { levels: [{ at: [{ qty }] }] } })),
    ],
  ])('that prices and quantities are in a list in one cell: %s', async (name, content) => {
    expect(await notesOf(content)).toEqual([
      `4 items of the list were read. Each list of “${name}” is in one cell.`,
    ])
  })

  it('that a list without rows stands beside the records', async () => {
    const names = GOODS.map(({ sku, name }) => ({ sku, name, price: 1 }))
    const leftOut = ['The file also has the list “stock”, which was left out.']
    expect(await notesOf({ products: names, stock: [5, 7, 0, 1] })).toEqual(leftOut)
    const pairs = GOODS.map(({ sku, qty }) => [sku, qty])
    expect(await notesOf({ products: names, stock: pairs })).toEqual(leftOut)
    expect(await notesOf({ products: names, tags: ['a', 'b'] })).toEqual([])
  })

  it('that a price or a quantity for all records stands beside them', async () => {
    const products = GOODS.map(({ qty, ...good }) => ({ ...good, colour: qty }))
    expect(await notesOf({ defaults: { qty: 100 }, products })).toEqual([
      'The records have none, but the file has “qty” beside them, which was left out.',
    ])
    expect(await notesOf({ defaults: { qty: 100 }, products: GOODS })).toEqual([])
  })

  it('that records are of several kinds', async () => {
    const [sku] = GOODS
    const orders = GOODS.map((good) => ({ stream: 'orders', sku: good.sku, order: 1 }))
    const products = GOODS.map(({ name, ...good }) => ({ stream: 'products', ...good, name }))
    expect(await notesOf([...products, ...orders])).toEqual([
      expect.stringContaining('where “stream” is “products” and “orders”'),
    ])
    const lines = GOODS.flatMap(({ sku: id, ...good }) => [{ index: { id } }, good])
    expect(await notesOf(lines.map((line) => JSON.stringify(line)).join('\n'))).toEqual([
      expect.stringContaining('have no field in common with others'),
    ])
    expect(await notesOf(GOODS.map((good) => ({ type: good.name, ...good, extra: sku })))).toEqual(
      [],
    )
  })

  it('that a field is a value in some records and has fields in others', async () => {
    const [first, ...others] = GOODS
    expect(await notesOf([{ ...first, price: { amount: 9 } }, ...others])).toEqual([
      'Some records have a value in “price”, and others fields, which are in columns of their own.',
    ])
    expect(await notesOf([{ ...first, price: null }, ...others])).toEqual([])
  })

  it('that values are missing in lists, so that others do not stand beside theirs', async () => {
    const feature = (name: string, value: string) => `<f><n>${name}</n>${value}</f>`
    const features = (middle: string) =>
      `<qty>1</qty>${feature('Size', '<v>42</v>')}${feature('Note', middle)}${feature('Colour', '<v>red</v>')}`
    expect(await notesOf(xmlOf(() => features('')))).toEqual([
      'Some values of “f/v” are missing in lists of records: those that follow do not stand in their places.',
    ])
    expect(await notesOf(xmlOf(() => features('<v>x</v>')))).toEqual([])
  })

  it.each(['purchaseOrders', 'adjustments', 'deliveries', 'categories', 'wishlist'])(
    'that %s may be no inventory',
    async (name) => {
      expect(await notesOf({ [name]: GOODS })).toEqual([
        expect.stringContaining('It is not certain that they are the items of an inventory.'),
      ])
    },
  )

  it.each([
    ['email', { customer: { email: 'a@shop.example' }, items: GOODS }],
    ['event', { event: 'stock.changed', items: GOODS }],
  ])('that what stands beside the records is that of orders and events: %s', async (name, file) => {
    expect(await notesOf(file)).toEqual([
      `The file has “${name}” beside its records, as orders and events do: they may be no inventory.`,
    ])
  })

  it('that several prices, quantities or keys of a list were joined', async () => {
    const listed = GOODS.map(({ qty, ...good }) => ({ ...good, tags: ['a', 'b'], qty: [qty, 0] }))
    expect(await notesOf(listed)).toEqual([
      'Several values of “qty” in one record were joined with “|”.',
    ])
    const alone = GOODS.map(({ qty, ...good }) => ({ ...good, tags: ['a', 'b'], qty: [qty] }))
    expect(await notesOf(alone)).toEqual([])
  })

  it('that records have texts between their fields', async () => {
    const mixed = 'Records have texts between their fields, which were joined to one.'
    expect(await notesOf(xmlOf(() => '<qty>1</qty>Boot <b>red</b> new'))).toEqual([mixed])
    expect(await notesOf(xmlOf(() => '<qty>1</qty><name>Boot <b>red</b> new</name>'))).toEqual([])
  })

  it('that a file also lists what was removed', async () => {
    expect(await notesOf({ changed: GOODS, deleted: ['A5', 'A6'] })).toEqual([
      'The file also lists what was removed, which was left out.',
    ])
    const [note] = await notesOf({ changed: GOODS, gone: [{ sku: 'A5' }, { sku: 'A6' }] })
    expect(note).toContain('The file also has gone (2).')
  })

  it.each([
    { data: { products: GOODS }, errors: [{ message: 'Timeout' }] },
    { success: false, products: GOODS },
  ])('that a part of an answer failed: %j', async (content) => {
    expect(await notesOf(content)).toEqual([
      'The file tells beside its records that a part of it failed.',
    ])
  })

  it('of values by name that stand beside the records', async () => {
    expect(await notesOf({ products: GOODS, stock: { A1: 1, A2: 2, A3: 3, A4: 4 } })).toEqual([
      'The file also has “stock”, with values by name, which were left out.',
    ])
  })

  it('that a list has things of several kinds', async () => {
    const lines = ['{"generated":"2026-11-25"}', ...GOODS.map((item) => JSON.stringify(item))]
    expect(await notesOf(lines.join('\n'))).toEqual([
      'Records have nothing by which items are known, but have “generated”, which no item has: the list may have other things, too.',
    ])
    const brand = { type: 'brand', name: 'Acme' }
    expect(await notesOf([...GOODS.map((item) => ({ type: 'item', ...item })), brand])).toEqual([
      'Records have nothing by which items are known: the list may have other things, too.',
    ])
  })

  it('of several values where there is to be one', async () => {
    const notes = await notesOf(
      xmlOf(() => '<qty>1</qty><qty>5</qty><image>a</image><image>b</image>'),
    )
    expect(notes).toEqual(['Several values of “qty” in one record were joined with “|”.'])
  })

  it('of names that stand twice in an object', async () => {
    const json = '[{"sku":"A","size":1,"size":2},{"sku":"B","size":3,"size":4}]'
    expect(await notesOf(json)).toEqual([
      'Names stand twice in an object; their values were joined with “|”.',
    ])
    expect(await notesOf(`{"A1":{"sku":"A","price":1},"A2":{"sku":"B","price":1}}`)).toEqual([
      '2 items of * were read. Each has a name of its own, which is in the column “key”.',
    ])
  })

  it('of half characters', async () => {
    const { rows, notes } = await readDocument(
      String.raw`[{"sku":"A\ud83d","qty":1},{"sku":"B","qty":1}]`,
    )
    expect(rows[1]).toEqual(['A\uFFFD', '1'])
    expect(notes).toEqual([expect.stringContaining('half a character')])
  })

  it('of fields that differ only in upper and lower case', async () => {
    const notes = await notesOf(xmlOf(() => '<price>1</price><Price>2</Price>'))
    expect(notes).toEqual([expect.stringContaining('were called “item/Price”')])
  })

  it('of records in records', async () => {
    const notes = await notesOf(
      xmlOf(() => '<qty>1</qty><item><note>x</note><code>y</code></item>'),
    )
    expect(notes).toEqual([expect.stringContaining('others of the same name in them')])
  })

  it('of lists that have what items have and are in one cell', async () => {
    const tiers = [
      { from: 1, price: 2 },
      { from: 9, price: 1 },
    ]
    expect(await notesOf(GOODS.map((item) => ({ ...item, tiers })))).toEqual([
      '4 items of the list were read. Each list of “tiers” is in one cell.',
    ])
  })

  it('that records have prices and quantities, but may be no goods', async () => {
    const orders = GOODS.map(({ price }) => ({ id: price, customer: 'Miller', price }))
    const variants = GOODS.map(({ sku, price }) => ({ sku, price }))
    for (const content of [orders, { orders: GOODS }, { title: 'Boot', variants }]) {
      expect(await notesOf(content)).toEqual([expect.stringContaining('It is not certain')])
    }
  })
})
