import { describe, expect, it } from 'vitest'

import { previewDocument, readDocument } from '../../../testing/stages/document-stage'

async function rowsOf(...document: Parameters<typeof readDocument>) {
  const { rows } = await readDocument(...document)
  return rows.map((cells) => cells.join('¦'))
}

describe('lists of the values of each column', () => {
  it('are rows, with what is missing, quoted or a list by itself', async () => {
    const json = '{"sku":["A","B","C"],"qty":[1,null,3.50],"name":["a, \\"b\\"","","c\\nd"]}'
    expect(await rowsOf(json)).toEqual(['sku¦qty¦name', 'A¦1¦a, "b"', 'B¦¦', 'C¦3.50¦c\nd'])
    expect(await rowsOf(`{"ok":true,"data":${json}}`)).toHaveLength(4)
    const { origin } = await readDocument(`{"data":${json}}`)
    expect(origin?.records).toEqual({ path: ['data'], variants: null })
  })

  it('may name the rows, which keeps their names unless they are numbers', async () => {
    const json = (one: string, other: string) =>
      `{"price":{"${one}":"5","${other}":"7"},"qty":{"${one}":1,"${other}":2}}`
    expect(await rowsOf(json('A,1', 'B'))).toEqual(['key¦price¦qty', 'A,1¦5¦1', 'B¦7¦2'])
    expect(await rowsOf(json('0', '1'))).toEqual(['price¦qty', '5¦1', '7¦2'])
  })

  it('are refused if they are not of the same rows, or of no inventory', async () => {
    const others = [
      '{"sku":["A","B"],"qty":[1]}',
      '{"sku":{"0":"A","1":"B"},"qty":{"0":1,"2":2}}',
      '{"sku":["A","B"],"price":[1,2,3],"tags":["x"]}',
      '{"sizes":["S","M"],"colours":["red","blue"]}',
    ]
    for (const json of others) {
      await expect(readDocument(json)).rejects.toMatchObject({ code: 'not-csv-json' })
    }
  })

  it('are found although the first is longer than the beginning of the file', async () => {
    const skus = Array.from({ length: 300_000 }, (_, at) => `"SKU-${at}"`)
    const json = `{"sku":[${skus.join()}],"qty":[${skus.map((_, at) => at).join()}]}`
    const rows = await rowsOf(json)
    expect([rows.length, rows.at(-1)]).toEqual([300_001, 'SKU-299999¦299999'])
    expect((await previewDocument(json)).columns).toEqual(['sku', 'qty'])
    expect((await previewDocument(json)).parts.records).toMatchObject([
      { path: [], rows: 300_000, header: ['sku', 'qty'], firstRows: [['SKU-0', '0'], {}, {}] },
    ])
    const others = json.replace(/\}$/, ',"note":"x"}')
    await expect(readDocument(others)).rejects.toMatchObject({ code: 'not-csv-json' })
  })

  it('are told if it is not certain that they are goods', async () => {
    const { notes } = await readDocument('{"sku":["A","B"],"remark":["x","y"]}')
    expect(notes.join()).toContain('It is not certain that they are the items of an inventory.')
  })
})

describe('XML that names values elsewhere', () => {
  const member = (name: string, value: string) =>
    `<member><name>${name}</name>\n<value>${value}</value></member>`
  const rpc = (...structs: string[]) =>
    `<methodResponse><params><param><value><array><data>${structs
      .map((struct) => `<value><struct>${struct}</struct></value>`)
      .join('\n')}</data></array></value></param></params></methodResponse>`

  it('is read as XML-RPC, where a name stands before its value', async () => {
    const tags = '<array><data><value>x</value><value><string>y</string></value></data></array>'
    const one = member('sku', 'A &amp; 1') + member(' in stock ', '<int>5</int>')
    const two =
      member('sku', '<string>B</string>') + member('tags', tags) + member('note', '<nil/>')
    expect(await rowsOf(rpc(one, two))).toEqual([
      'sku¦in stock¦tags/value¦note',
      'A & 1¦5¦¦',
      'B¦¦x | y¦',
    ])
    expect(await rowsOf(rpc(one, two), { chunkBytes: 1 })).toHaveLength(3)
    expect(await rowsOf(rpc(one))).toHaveLength(2)
  })

  it('is no table if XML-RPC tells a fault', async () => {
    const fault = member('faultCode', '<int>4</int>') + member('faultString', 'No access')
    const xml = `<methodResponse><fault><value><struct>${fault}</struct></value></fault></methodResponse>`
    await expect(readDocument(xml)).rejects.toMatchObject({ code: 'not-csv-xml' })
  })

  it('is read as FileMaker, where names stand above the rows', async () => {
    const row = (...cells: string[]) =>
      `<ROW RECORDID="7">${cells.map((cell) => `<COL>${cell}</COL>`).join('\n')}</ROW>`
    const xml = (...rows: string[]) =>
      `<FMPXMLRESULT xmlns="http://www.filemaker.com/fmpxmlresult"><METADATA><FIELD NAME="sku"/><FIELD NAME="qty"/><FIELD NAME="qty"/></METADATA><RESULTSET>${rows.join('')}</RESULTSET></FMPXMLRESULT>`
    const first = row('<DATA>A</DATA>', '', '<DATA>5</DATA><DATA>6</DATA>')
    expect(await rowsOf(xml(first, row('<DATA>B</DATA>', '<DATA>2</DATA>', '<DATA/>')))).toEqual([
      'sku¦qty 3¦qty',
      'A¦5 | 6¦',
      'B¦¦2',
    ])
    expect(await rowsOf(xml(first))).toHaveLength(2)
  })
})

describe('XML with a list of columns above its rows', () => {
  const rows = (...cells: string[][]) =>
    cells.map((row, at) => `<row id="${at}">${row.join('')}</row>`).join('\n')
  const lists: Record<string, string> = {
    attributes: '<metadata><item name="sku" type="s"/><item name="in stock" type="d"/></metadata>',
    elements:
      '<columns><column><displayName>sku</displayName><name>no</name></column><column><table>t</table><name>in stock</name></column></columns>',
    texts: '<header>\n<col>sku</col>\n<col>in stock</col>\n</header>',
  }

  it('calls the cells like the columns, where these have a name', async () => {
    const cells = rows(
      ['<value column="1">A</value>', '<value column="2">5</value>'],
      ['<value>B</value>', '<value/>', '<value>7</value>'],
    )
    for (const list of Object.values(lists)) {
      expect(await rowsOf(`<x>${list}<data>${cells}</data></x>`)).toEqual([
        'id¦sku¦in stock¦COL 3',
        '0¦A¦5¦',
        '1¦B¦¦7',
      ])
    }
  })

  it('counts names that are twice, and gives up those that cannot be told apart', async () => {
    const read = async (...names: string[]) => {
      const columns = names.map((name) => `<col name="${name}"/>`).join('')
      const row = `<r><sku>A</sku>${names.map((_, at) => `<c>${at}</c>`).join('')}</r>`
      return rowsOf(`<x><columns>${columns}</columns><data>${row}${row}</data></x>`)
    }
    expect((await read('qty', 'price', 'qty'))[0]).toBe('sku¦qty¦price¦qty 3')
    expect(await read('qty', 'qty 3', 'qty')).toEqual(['sku¦c', 'A¦0 | 1 | 2', 'A¦0 | 1 | 2'])
  })

  it('leaves cells alone that have names, and rows without such a list', async () => {
    const named = rows(
      ...['A', 'B'].map((sku) => [`<value name="no">${sku}</value>`, '<qty>1</qty>']),
    )
    expect((await rowsOf(`<x>${lists['texts']}<data>${named}</data></x>`))[0]).toBe(
      'id¦value@name¦value¦qty',
    )
    const plain = rows(['<sku>A</sku>', '<value>1</value>'], ['<sku>B</sku>', '<value>2</value>'])
    expect((await rowsOf(`<x><data>${plain}</data></x>`))[0]).toBe('id¦sku¦value')
  })
})

describe('XML of other programs that name values elsewhere', () => {
  it('is read as a property list, where a key stands before its value', async () => {
    const dict = (sku: string, more = '') =>
      `<dict><key>sku</key>\n<string>${sku}</string><key> in stock</key><integer>5</integer>${more}</dict>`
    const more =
      '<key>isNew</key><true/><key>size</key><dict><key>w</key><real>1.50</real></dict><key>tags</key><array><string>x</string><string>y</string></array>'
    const array = `<array>${dict('A', more)}${dict('B')}</array>`
    const expected = ['sku¦in stock¦isNew¦size/w¦tags', 'A¦5¦true¦1.50¦x | y', 'B¦5¦¦¦']
    expect(await rowsOf(`<plist version="1.0">${array}</plist>`)).toEqual(expected)
    const named = `<plist><dict><key>date</key><date>d</date><key>items</key>${array}</dict></plist>`
    expect(await rowsOf(named)).toEqual(expected)
  })

  it('is read as PowerShell writes it, where an attribute has the name', async () => {
    const object = (sku: string) =>
      `<Obj RefId="1"><TN RefId="0"><T>Object</T></TN><MS><S N="Sku">${sku}</S><I32 N="Qty">5</I32><Nil N="Note"/></MS></Obj>`
    const expected = (...skus: string[]) => [
      'RefId¦MS/Sku¦MS/Qty¦MS/Note',
      ...skus.map((sku) => `1¦${sku}¦5¦`),
    ]
    expect(await rowsOf(`<Objs>${object('A')}${object('B')}</Objs>`)).toEqual(expected('A', 'B'))
    expect(await rowsOf(`<Objs>${object('A')}</Objs>`)).toEqual(expected('A'))
  })
})

describe('JSON lines of which a record has several', () => {
  const lines = (...documents: object[]) => documents.map((one) => JSON.stringify(one)).join('\n')

  it('join an action of Elasticsearch with the document behind it', async () => {
    const one = { sku: 'A', qty: 1 }
    const two = { sku: 'B', qty: 2, _id: '9' }
    const text = lines({ index: { _index: 'i', _id: '7' } }, one, { create: { _id: '8' } }, two)
    expect(await rowsOf(text)).toEqual(['_id¦sku¦qty', '7¦A¦1', '9¦B¦2'])
    const other = lines({ create: { _index: 'j' } }, { sku: 'C', qty: 3 })
    expect(await rowsOf(`${text}\n${other}`)).toEqual([
      '_id¦sku¦qty¦_index',
      '7¦A¦1¦',
      '9¦B¦2¦',
      '¦C¦3¦j',
    ])
  })

  it('tell of an action without a document', async () => {
    const action = { index: { _id: '7' } }
    for (const text of [
      lines(action, { sku: 'A', qty: 1 }, { index: { _id: '8' } }),
      lines(action, { index: { _id: '8' } }, { sku: 'A', qty: 1 }),
    ]) {
      const { notes } = await readDocument(text)
      expect(notes.join()).toContain('which no item has: the list may have other things, too.')
    }
  })

  it('leave out the messages of Singer that are no records', async () => {
    const record = (sku: string) => ({ type: 'RECORD', stream: 's', record: { sku, qty: 1 } })
    const text = lines(
      { type: 'SCHEMA', stream: 's', schema: { properties: { sku: { type: 'string' } } } },
      record('A'),
      { type: 'STATE', value: {} },
      record('B'),
    )
    const { rows, notes } = await readDocument(text)
    expect(rows.map((cells) => cells.at(-2))).toEqual(['record.sku', 'A', 'B'])
    expect(notes).toEqual([])
  })

  it('join the variants of Shopify with the product before them', async () => {
    const gid = (kind: string, id: number) => `gid://shopify/${kind}/${id}`
    const product = (id: number, title: string) => ({ id: gid('Product', id), title })
    const child = (kind: string, id: number, __parentId: string, more: object) => ({
      id: gid(kind, id),
      ...more,
      __parentId,
    })
    const variant = (id: number, of: number, sku: string) =>
      child('ProductVariant', id, gid('Product', of), { sku, price: '1' })
    const level = child('InventoryLevel', 1, gid('ProductVariant', 11), { available: 4 })
    const image = child('Image', 5, gid('Product', 1), { src: 'x' })
    const text = lines(
      product(1, 'Boot'),
      variant(11, 1, 'A'),
      level,
      image,
      variant(12, 1, 'B'),
      product(2, 'Hat'),
      variant(21, 2, 'C'),
    )
    const { rows } = await readDocument(text)
    const column = (name: string) => rows.map((cells) => cells[rows[0]?.indexOf(name) ?? -1])
    expect(column('sku')).toEqual(['sku', 'A', 'B', 'C'])
    expect(column('title')).toEqual(['title', 'Boot', 'Boot', 'Hat'])
    expect(column('InventoryLevel')[1]).toContain('"available":4')
    const alone = lines(product(1, 'Boot'), variant(21, 2, 'C'))
    await expect(readDocument(alone)).rejects.toMatchObject({ code: 'document-damaged' })
  })
})
