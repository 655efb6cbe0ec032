import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type Merged, openMerging } from '../../testing/stages/merging'

const FULL = 'sku,name,price,qty\n1,One,10,5\n2,"Two, too",20,6\n3,Three,30,7\n'
const REMOVAL = { column: 'action', value: 'delete' }

let stage: Awaited<ReturnType<typeof openMerging>>
let full: Merged
beforeEach(async () => {
  stage = await openMerging()
  full = await stage.full(FULL)
})
afterEach(() => stage.close())

const linesOf = ({ text }: Merged) => text.trimEnd().split('\n')
const notesOf = ({ result }: Merged) => result.report.problems.map(({ message }) => message)

describe('an update', () => {
  it('replaces the cells of the columns that it has, and keeps all others and the order', async () => {
    const merged = await stage.update(full, 'qty,sku\n0,3\n9,1\n')
    expect(merged.text).toBe('sku,name,price,qty\n1,One,10,9\n2,"Two, too",20,6\n3,Three,30,0\n')
    expect(merged.result.update?.counts).toEqual({ items: 2, changed: 2, added: 0, removed: 0 })
  })

  it('adds items with new keys at the end, in its order', async () => {
    const merged = await stage.update(
      full,
      'sku,name,price,qty\n9,Nine,1,1\n2,"Two, too",20,0\n8,"E ""8""",2,2\n',
    )
    expect(linesOf(merged).slice(1)).toEqual([
      '1,One,10,5',
      '2,"Two, too",20,0',
      '3,Three,30,7',
      '9,Nine,1,1',
      '8,"E ""8""",2,2',
    ])
    expect(merged.result.update?.counts).toEqual({ items: 3, changed: 1, added: 2, removed: 0 })
  })

  it('tells what new items lack', async () => {
    const merged = await stage.update(full, 'sku,qty\n9,1\n8,1\n2,1\n')
    expect(linesOf(merged).slice(-2)).toEqual(['9,,,1', '8,,,1'])
    expect(merged.result.report.problems).toContainEqual({
      line: null,
      message: 'New items have nothing in “name” and “price”, which the update does not have.',
      count: 2,
    })
  })

  it('removes items by the value of a column that is not part of the table', async () => {
    const update = 'sku,qty,action\n2,0, DELETE \n1,1,\n7,0,delete\n'
    const merged = await stage.update(full, update, { removal: REMOVAL })
    expect(merged.text).toBe('sku,name,price,qty\n1,One,10,1\n3,Three,30,7\n')
    expect(merged.result.update?.counts).toEqual({ items: 3, changed: 1, added: 0, removed: 1 })
    expect(notesOf(merged)).toEqual([
      'Items that the update removes are not in the published file.',
    ])
  })

  it('has the same result twice, byte for byte', async () => {
    const update = 'sku,qty,action\n2,0,delete\n1,1,\n7,"3",\n'
    const once = await stage.update(full, update, { removal: REMOVAL })
    const twice = await stage.update(once, update, { removal: REMOVAL })
    expect(twice.text).toBe(once.text)
    expect(twice.result.content).toEqual(once.result.content)
    expect(twice.result.update?.sha256).toBe(once.result.update?.sha256)
    expect(twice.result.update?.counts).toEqual({ items: 3, changed: 0, added: 0, removed: 0 })
  })

  it('changes no byte where it says nothing new', async () => {
    const same = await stage.update(full, 'sku;name;price\n3;"Three";30\n1;One;10\n')
    expect(same.text).toBe(FULL)
    const nothing = await stage.update(full, 'sku,qty\n')
    expect(nothing.text).toBe(FULL)
    expect(nothing.result.update?.counts).toEqual({ items: 0, changed: 0, added: 0, removed: 0 })
  })

  it('empties a cell with an empty one', async () => {
    expect(linesOf(await stage.update(full, 'sku,name\n1,\n'))[1]).toBe('1,,10,5')
  })

  it('finds its items whatever spaces stand around the keys, and keeps the published key', async () => {
    const spaced = await stage.full('sku,qty\n A1 ,5\n')
    expect((await stage.update(spaced, 'sku,qty\nA1,6\n')).text).toBe('sku,qty\n A1 ,6\n')
  })

  it('is read as any file is, and its notes are those of its own lines', async () => {
    const bytes = Buffer.from('Stock of today\n\nSKU;Name;Price\n1;M\xfcller;11\n', 'latin1')
    const merged = await stage.update(full, bytes)
    expect(linesOf(merged)[1]).toBe('1,Müller,11,5')
    expect(merged.result.report.dialect).toMatchObject({
      encoding: 'windows-1252',
      delimiter: ';',
    })
    expect(merged.result.report.problems[0]).toMatchObject({ line: 1 })
  })

  it('leaves out columns that the published file lacks, and tells so', async () => {
    const merged = await stage.update(full, 'sku,qty,ean,colour\n1,1,400,red\n')
    expect(linesOf(merged)[0]).toBe('sku,name,price,qty')
    expect(notesOf(merged)).toEqual([
      'Columns that the published file does not have were left out: “ean” and “colour”. A full file brings them.',
    ])
  })

  it('keeps CRLF and a last line without an end', async () => {
    const crlf = await stage.full('sku,qty\r\n1,5\r\n2,6')
    expect(crlf.text).toBe('sku,qty\r\n1,5\r\n2,6')
    expect((await stage.update(crlf, 'sku,qty\n3,1\n')).text).toBe(
      'sku,qty\r\n1,5\r\n2,6\r\n3,1\r\n',
    )
    expect((await stage.update(crlf, 'sku,qty\n2,7\n')).text).toBe('sku,qty\r\n1,5\r\n2,7')
    const both = await stage.update(crlf, 'sku,qty\n2,7\n3,1\n')
    expect(both.text).toBe('sku,qty\r\n1,5\r\n2,7\r\n3,1\r\n')
    const removal = { column: 'x', value: 'y' }
    const removed = await stage.update(crlf, 'sku,qty,x\n2,,y\n3,1,\n', { removal })
    expect(removed.text).toBe('sku,qty\r\n1,5\r\n3,1\r\n')
  })

  it('is not merged again when it is what was read before', async () => {
    const update = 'sku,qty\n1,1\n'
    const { result } = await stage.update(full, update)
    const knownSha256 = result.update?.sha256 ?? null
    const again = await stage.ingest(update, { base: full.base, knownSha256 })
    expect(again.result).toEqual({ kind: 'known', etag: null, lastModified: null })
  })
})

describe('an update is refused', () => {
  it('or merged, and leaves no scratch file', async () => {
    await stage.refusal(full, 'sku,qty\n1,1\n1,2\n')
    await stage.refusal(full, 'qty\n1\n')
    await stage.refusal(full, 'sku,action\n1,delete\n2,delete\n3,delete\n', { removal: REMOVAL })
    await stage.update(full, 'sku;qty\n1;1\n')
    expect(await stage.leftovers()).toEqual([])
  })

  it.each([
    ['without the column of keys', 'name,qty\nOne,1\n', 'lacks the column “sku”'],
    [
      'with a repeated key',
      'sku,qty\n1,1\n2,2\n 1 ,3\n',
      '1 row in it has a “sku” that another row has, too',
    ],
    ['with a row without a key', 'sku,qty\n1,1\n,2\n,3\n', '2 rows in it have no “sku”'],
    ['that is a text', 'Please sign in\n', 'Please sign in'],
    ['with more columns of a name', 'sku,qty,qty\n1,1,2\n', 'has 1 column “qty”, and the update 2'],
    ['that is empty', '', 'CSV file is empty'],
  ])('%s', async (_why, update, message) => {
    expect((await stage.refusal(full, update)).message).toContain(message)
  })

  it('without the column by which it says what is removed', async () => {
    const { message } = await stage.refusal(full, 'sku,qty,op\n1,1,delete\n', { removal: REMOVAL })
    expect(message).toBe(
      'The update lacks the column “action”, by which it says what is removed. It has “sku”, “qty” and “op”.',
    )
  })

  it('when it removes all items', async () => {
    const update = 'sku,action\n1,delete\n2,delete\n3,delete\n'
    expect(await stage.refusal(full, update, { removal: REMOVAL })).toMatchObject({
      code: 'no-rows',
    })
  })

  it('without a base', async () => {
    const work = stage.ingest('sku,qty\n1,1\n', {})
    await expect(work).rejects.toMatchObject({ code: 'first-not-full', message: 'Nothing yet.' })
  })
})

describe('a file without a header', () => {
  const reading = { hasHeader: false }

  it('is updated by one with all of its columns', async () => {
    const base = await stage.full('A1,One,5\nA2,Two,6\n', { reading, sku: 'column_1' })
    const merged = await stage.update(base, 'A2,Two,0\nA3,Three,9\n', { reading })
    expect(merged.text).toBe('column_1,column_2,column_3\r\nA1,One,5\r\nA2,Two,0\r\nA3,Three,9\r\n')
    const { message } = await stage.refusal(base, 'A2,0\n', { reading })
    expect(message).toContain('it has 2 instead of 3')
    expect((await stage.refusal(base, 'column_1,column_3\nA2,0\n')).message).toContain(
      '2 instead of 3',
    )
  })

  it('does not update one with a header', async () => {
    expect((await stage.refusal(full, '1,One,10,0\n')).message).toContain('lacks the column “sku”')
  })
})

describe('a full file', () => {
  it('takes the place of everything, without the column and rows that remove', async () => {
    const text = 'action,sku,"a, b",\n,1,x,i\ndelete,2,y,j\nnew,3,"z, z",k\n'
    const { text: written, result } = await stage.full(text, { removal: REMOVAL })
    expect(written).toBe('sku,"a, b",\r\n1,x,i\r\n3,"z, z",k\r\n')
    expect(result.update?.counts).toBeNull()
  })

  it('is recognised by the name of a file in an archive', async () => {
    expect((await stage.full(FULL, { fullName: 'full*' })).text).toBe(FULL)
  })

  it.each([
    ['sku,qty\n1,1\n1,2\n2,1\n2,2\n', '2 rows in it have a “sku” that another row has, too'],
    ['sku,qty\n1,1\n,2\n', '1 row in it has no “sku”'],
    ['colour,size\nred,1\n', 'it has no column of keys'],
  ])('that cannot be updated is refused: %j', async (text, message) => {
    await expect(stage.full(text)).rejects.toMatchObject({
      code: 'update-keys',
      message: `The full file cannot be used: ${message}. Each row needs a key of its own, such as an SKU.`,
    })
  })
})

describe('categories that are filled down', () => {
  const SHOP = 'Handle,SKU,Category,Qty\nshirt,1,Shirts,1\nshirt,2,,2\nhat,3,Hats,3\n'

  it('keep what the published rows have where an update leaves the cell empty', async () => {
    const shop = await stage.full(SHOP)
    const merged = await stage.update(shop, 'Handle,SKU,Category,Qty\nshirt,1,,9\nhat,3,Caps,3\n')
    expect(linesOf(merged).slice(1)).toEqual(['shirt,1,Shirts,9', 'shirt,2,,2', 'hat,3,Caps,3'])
  })

  it('are told where a new item has none of its own', async () => {
    const shop = await stage.full(SHOP)
    const merged = await stage.update(shop, 'Handle,SKU,Category,Qty\nshirt,4,,9\nsock,5,Socks,3\n')
    expect(notesOf(merged)).toEqual([
      'New items have no category of their own. Give each new item its category.',
    ])
  })

  it('are emptied where rows have their own', async () => {
    const own = await stage.full('SKU,Category,Qty\n1,Shirts,1\n2,Hats,1\n')
    const merged = await stage.update(own, 'SKU,Category\n1,\n')
    expect(linesOf(merged)[1]).toBe('1,,1')
  })
})
