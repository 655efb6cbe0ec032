import { describe, expect, it } from 'vitest'

import { readDocument } from '../../../testing/stages/document-stage'

async function rowsOf(content: string | Buffer, records?: Parameters<typeof readDocument>[1]) {
  const { rows } = await readDocument(content, records)
  return rows.map((cells) => cells.join('¦'))
}
const items = (...records: string[]) =>
  `<items>${records.map((one) => `<item>${one}</item>`).join('')}</items>`

describe('columns of records', () => {
  it('are called by the shortest path that is unique', async () => {
    const xml = `<r xmlns:g="g"><p id="1"><id>A</id><title>t</title><g:title>g</g:title><price currency="EUR" net="1">9</price></p>
      <p id="2"><id>B</id><title>u</title><g:title>h</g:title><price currency="EUR" net="1">8</price></p></r>`
    expect(await rowsOf(xml)).toEqual([
      '@id¦id¦title¦g:title¦price@currency¦price@net¦price',
      '1¦A¦t¦g¦EUR¦1¦9',
      '2¦B¦u¦h¦EUR¦1¦8',
    ])
  })

  it('that came late in the file are empty in the rows before', async () => {
    expect(await rowsOf(items('<sku>A</sku><qty>1</qty>', '<sku>B</sku><new>x</new>'))).toEqual([
      'sku¦qty¦new',
      'A¦1¦',
      'B¦¦x',
    ])
  })

  it('of variants have their own names, and the record has its name in front where both have one', async () => {
    const xml = (open: string, close: string) =>
      `<catalog>${open}<sku>P1</sku><name>Boot</name><variants><variant size="42"><sku>V1</sku><qty>1</qty></variant><variant size="43"><sku>V2</sku><qty>2</qty></variant></variants><brand>Acme</brand>${close}${open}<sku>P2</sku><name>Hat</name><variants/><brand>Bcme</brand>${close}</catalog>`
    expect(await rowsOf(xml('<product>', '</product>'))).toEqual([
      'product/sku¦name¦size¦sku¦qty¦brand',
      'P1¦Boot¦42¦V1¦1¦Acme',
      'P1¦Boot¦43¦V2¦2¦Acme',
      'P2¦Hat¦¦¦¦Bcme',
    ])
  })

  it('are made of elements that an attribute names', async () => {
    const xml = items(
      '<sku>A</sku><param name="Size">42</param><param name="Colour" unit="hex">red</param>',
      '<sku>B</sku><param name="Size">43</param>',
    )
    expect(await rowsOf(xml)).toEqual(['sku¦Size¦Colour@unit¦Colour', 'A¦42¦hex¦red', 'B¦43¦¦'])
  })

  it('are made of elements that an attribute tells apart again and again', async () => {
    const prices = '<price type="retail">9</price><price type="trade">7</price>'
    const xml = items(...Array.from({ length: 5 }, (_, at) => `<sku>${at}</sku>${prices}`))
    expect((await rowsOf(xml))[0]).toBe('sku¦price/retail¦price/trade')
    const images = (at: number) => `<image id="x${at}a">1</image><image id="x${at}b">2</image>`
    const other = items(...Array.from({ length: 5 }, (_, at) => `<sku>${at}</sku>${images(at)}`))
    expect((await rowsOf(other))[0]).toBe('sku¦image@id¦image')
  })

  it('are called by ids if all records have the same', async () => {
    const record = (sku: string, inner: string) => `<sku>${sku}</sku>${inner}`
    const stock =
      '<stock><warehouse id="BER">5</warehouse><warehouse id="HAM">7</warehouse></stock>'
    expect(await rowsOf(items(record('A', stock), record('B', stock)))).toEqual([
      'sku¦stock/warehouse/BER¦stock/warehouse/HAM',
      'A¦5¦7',
      'B¦5¦7',
    ])
    const category = (id: string) => `<category id="C${id}">Shoes</category>`
    const sorted = ['1 2', '1 3', '2 3', '4 5', '4 6', '5 6'].map((ids) =>
      record(ids, ids.split(' ').map(category).join('')),
    )
    expect((await rowsOf(items(...sorted)))[0]).toBe('sku¦category@id¦category')
  })

  it('are called as a list of columns beside the rows calls them', async () => {
    const columns = ['SKU', 'Name', 'Qty'].map((label, at) => ({ id: `c${at}`, label }))
    const data = [
      ['A', 'Boot', 1],
      ['B', 'Hat', 2],
    ]
    const expected = ['SKU¦Name¦Qty', 'A¦Boot¦1', 'B¦Hat¦2']
    expect(await rowsOf(JSON.stringify({ meta: { columns }, data }))).toEqual(expected)
    expect(await rowsOf(JSON.stringify({ data, columns }))).toEqual(expected)
  })

  it('have names where each line has a list of objects', async () => {
    const lines = '[{"sku":"A","qty":1}]\n[{"sku":"B","qty":2}]\n'
    expect(await rowsOf(lines)).toEqual(['sku¦qty', 'A¦1', 'B¦2'])
  })

  it('have the lines of texts with elements in them', async () => {
    const texts = ['Red<br/>boot', '<p>Red</p><p>boot</p>new', 'm<sup>2</sup>', '<i>plain</i>', 'x']
    const xml = items(...texts.map((text, at) => `<sku>${at}</sku><text>${text}</text>`))
    expect(await rowsOf(xml)).toEqual([
      'sku¦text',
      '0¦Red\nboot',
      '1¦Red\nboot\nnew',
      '2¦m2',
      '3¦plain',
      '4¦x',
    ])
  })

  it('have the blanks that are to be preserved', async () => {
    const text = (at: number) => `<sku>${at}</sku><text xml:space="preserve">\n ${at} \n</text>`
    expect(await rowsOf(items(text(1), text(2)))).toEqual(['sku¦text', '1¦\n 1 \n', '2¦\n 2 \n'])
  })

  it('have several values of a name in one cell', async () => {
    expect(await rowsOf(items('<a>1</a><a/><a>2</a><sku>x</sku>', '<a>3</a><sku>y</sku>'))).toEqual(
      ['a¦sku', '1 | 2¦x', '3¦y'],
    )
    const json =
      '[{"sku":"A","a":[1,"x",null,true],"b":[{"c":1.0},[2]],"d":[]},{"sku":"B","a":[],"b":[],"d":[]}]'
    expect(await rowsOf(json)).toEqual(['sku¦a¦b¦d', 'A¦1 | x |  | true¦[{"c":1.0},[2]]¦', 'B¦¦¦'])
  })

  it('keep the places of empty values in lists, because several lists may belong together', async () => {
    const json = '[{"sku":"A","size":["S",null,"L"],"stock":[null,"",5]},{"sku":"B"}]'
    expect(await rowsOf(json)).toEqual(['sku¦size¦stock', 'A¦S |  | L¦ |  | 5', 'B¦¦'])
  })

  it('are the same for elements of one namespace, with whatever prefix', async () => {
    const xml = `<x:items xmlns:x="urn:shop"><x:item><x:sku>A</x:sku></x:item>
      <y:item xmlns:y="urn:shop"><y:sku>B</y:sku></y:item></x:items>`
    expect(await rowsOf(xml)).toEqual(['sku', 'A', 'B'])
    const plain = `<items xmlns="urn:shop"><item><sku>A</sku><n:sku xmlns:n="urn:other">1</n:sku></item>
      <y:item xmlns:y="urn:shop"><y:sku>B</y:sku></y:item></items>`
    expect(await rowsOf(plain)).toEqual(['sku¦n:sku', 'A¦1', 'B¦'])
  })

  it('have several values of an attribute that names fields, as long as few have', async () => {
    const record = (sku: string, more: string) =>
      `<sku>${sku}</sku><param name="Size">42</param><param name="Colour">red</param>${more}`
    const more = '<param name="Colour">blue</param>'
    const xml = items(record('A', ''), record('B', more), record('C', ''))
    expect(await rowsOf(xml)).toEqual([
      'sku¦Size¦Colour',
      'A¦42¦red',
      'B¦42¦red | blue',
      'C¦42¦red',
    ])
  })

  it('keep numbers of JSON as they are written', async () => {
    const numbers = ['1.50', '1e3', '-0.0', '12345678901234567890', '0.1000']
    const json = `[${numbers.map((number) => `{"sku":"a","n":${number}}`).join(',')}]`
    expect(await rowsOf(json)).toEqual(['sku¦n', ...numbers.map((number) => `a¦${number}`)])
  })

  it('have texts without the layout around them, but all blanks that are meant', async () => {
    const xml = items(
      '<sku>\n    one\n  </sku><b>  two </b><c>\n <![CDATA[\n three ]]>\n</c><d> <!-- no --> </d>',
      '<sku>1&#10;2</sku><b>x</b><c>&lt;&amp;</c><d>y</d>',
    )
    expect((await readDocument(xml)).rows.slice(1)).toEqual([
      ['one', '  two ', '\n three ', '  '],
      ['1\n2', 'x', '<&', 'y'],
    ])
  })

  it('have all of a text that has elements in it', async () => {
    const xml = items(
      '<sku>A</sku><text lang="en">a <b>bold</b> <i>word</i></text>',
      '<sku>B</sku><text>plain</text>',
    )
    expect(await rowsOf(xml)).toEqual(['sku¦text@lang¦text', 'A¦en¦a bold word', 'B¦¦plain'])
  })

  it('may be given by a list beside lists of values', async () => {
    expect(await rowsOf('{"rows":[["A",1],["B",2]],"fields":["sku","qty"]}')).toEqual([
      'sku¦qty',
      'A¦1',
      'B¦2',
    ])
    expect(await rowsOf('["sku","qty"]\n["A",1]\n')).toEqual(['sku¦qty', 'A¦1'])
  })

  it('have no name of a record where names only count', async () => {
    const item = (name: string, sku: string) => `<${name}><sku>${sku}</sku><qty>1</qty></${name}>`
    const xml = `<r>${item('item0', 'A')}${item('item1', 'B')}${item('item2', 'C')}</r>`
    expect(await rowsOf(xml)).toEqual(['sku¦qty', 'A¦1', 'B¦1', 'C¦1'])
    const json = '[{"sku":"A","qty":1}]\n[{"sku":"B","qty":2},{"sku":"C","qty":3}]'
    expect(await rowsOf(json)).toEqual(['sku¦qty', 'A¦1', 'B¦2', 'C¦3'])
  })

  it('have the name of a record where each has one', async () => {
    expect(
      await rowsOf('{"Shoes":[{"sku":"A","price":1}],"Hats":[{"sku":"B","price":2}]}'),
    ).toEqual(['key¦sku¦price', 'Shoes¦A¦1', 'Hats¦B¦2'])
    expect(
      await rowsOf('<r><p1><sku>A</sku><qty>1</qty></p1><p2><sku>B</sku><qty>2</qty></p2></r>'),
    ).toEqual(['key¦sku¦qty', 'p1¦A¦1', 'p2¦B¦2'])
  })
})

describe('a document', () => {
  it('is the same in pieces of any size, and in any encoding that it declares', async () => {
    const xml = items('<name>Größe &amp; €</name><qty>1</qty>', '<name>Ж</name><qty>2</qty>')
    const expected = await rowsOf(xml)
    expect(expected).toEqual(['name¦qty', 'Größe & €¦1', 'Ж¦2'])
    expect(await rowsOf(xml, { chunkBytes: 1 })).toEqual(expected)
    expect(await rowsOf(`\uFEFF\n\n<?xml version="1.0"?>${xml}`)).toEqual(expected)
    expect(await rowsOf(Buffer.from(`\uFEFF${xml}`, 'utf16le'))).toEqual(expected)
    const declared = `<?xml version="1.0" encoding="windows-1251"?>${items('<name>Ж</name><qty>2</qty>', '<qty>3</qty>')}`
    expect(await rowsOf(Buffer.from(declared.replace('Ж', '\u00c6'), 'latin1'))).toEqual([
      'name¦qty',
      'Ж¦2',
      '¦3',
    ])
    const json = '[{"sku":"Größe €","qty":1}]'
    for (const bytes of [
      Buffer.from(`\uFEFF${json}`),
      Buffer.from(json, 'utf16le'),
      Buffer.from(`\uFEFF${json}`, 'utf16le').swap16(),
    ]) {
      expect(await rowsOf(bytes)).toEqual(['sku¦qty', 'Größe €¦1'])
    }
  })

  it('may name a document type, which is not looked at, but declare none', async () => {
    expect(
      await rowsOf(`<!DOCTYPE items SYSTEM "x.dtd">${items('<a>1</a><sku>2</sku>')}`),
    ).toHaveLength(2)
    await expect(
      rowsOf(`<!DOCTYPE items [<!ENTITY x "y">]>${items('<a>1</a><sku>2</sku>')}`),
    ).rejects.toMatchObject({ code: 'document-damaged', message: /has a document type/ })
  })

  it.each([
    ['yml_catalog SYSTEM "shops.dtd"'],
    ["cXML SYSTEM 'http://127.0.0.1:1/cXML/1.2.014/Fulfill.dtd'"],
    ['BMECAT PUBLIC "-//BME//DTD 1.2//EN" "file:///etc/passwd"'],
    ['items'],
    ['items SYSTEM "a>b.dtd"'],
  ])('may name the document type of a standard: %s', async (type) => {
    const content = `<?xml version="1.0"?>\n<!DOCTYPE ${type}>\n${items('<sku>1</sku><qty>2</qty>')}`
    expect(await rowsOf(content)).toEqual(['sku¦qty', '1¦2'])
    expect(await rowsOf(content, { chunkBytes: 1 })).toEqual(['sku¦qty', '1¦2'])
  })

  it.each([
    ['declares an entity', '<!DOCTYPE items [<!ENTITY x "y">]>', '<sku>1</sku>'],
    [
      'declares one from outside',
      '<!DOCTYPE items [<!ENTITY x SYSTEM "file:///x">]>',
      '<sku>1</sku>',
    ],
    [
      'declares some elsewhere, too',
      '<!DOCTYPE items SYSTEM "a" [<!ENTITY % x SYSTEM "b"> %x;]>',
      '<sku>1</sku>',
    ],
    ['has an empty declaration', '<!DOCTYPE items []>', '<sku>1</sku>'],
    ['has an entity of its type', '<!DOCTYPE items SYSTEM "a">', '<sku>&nbsp;</sku>'],
    ['has two types', '<!DOCTYPE items SYSTEM "a"><!DOCTYPE items SYSTEM "b">', '<sku>1</sku>'],
    ['has an endless type', `<!DOCTYPE items SYSTEM "${'a'.repeat(2_000_000)}">`, '<sku>1</sku>'],
  ])('is refused if it %s', async (_, type, record) => {
    await expect(rowsOf(`${type}${items(`${record}<qty>1</qty>`)}`)).rejects.toMatchObject({
      code: 'document-damaged',
    })
    const inside = items(`${record}<qty>1</qty>`).replace('<item>', `<item>${type}`)
    await expect(rowsOf(inside)).rejects.toMatchObject({ code: 'document-damaged' })
  })

  it.each([
    [
      'XML that is cut off',
      items('<sku>1</sku><qty>2</qty>').slice(0, -12),
      'truncated',
      'The XML file breaks off before its end',
    ],
    [
      'XML with a stray “&”',
      `<r>\n${items('<sku>R & D</sku><qty>1</qty>', '<sku>&lt;</sku>')}</r>`,
      'document-damaged',
      'it has an “&” that begins no entity of XML; write “&amp;” (line 2)',
    ],
    [
      'XML whose elements do not match',
      '<r>\n<a><b>1</a></r>',
      'document-damaged',
      'its XML is not well-formed (line 2)',
    ],
    [
      'XML with a control character',
      items('<a>\u0001</a>'),
      'document-damaged',
      'it has a control character',
    ],
    [
      'XML in another encoding',
      Buffer.from(items('<a>\u00e9</a>'), 'latin1'),
      'document-damaged',
      'it has bytes that are not UTF-8',
    ],
    [
      'JSON that is cut off',
      '[{"sku":"a","qty":1},{"sku"',
      'truncated',
      'The JSON file breaks off',
    ],
    [
      'JSON with a comma too much',
      '[{"sku":"a","qty":1},\n]',
      'document-damaged',
      'a value is missing after a comma or colon (line 2, character 23 of the file)',
    ],
    [
      'JSON with more after its end',
      '[{"sku":"a","qty":1}]\nx',
      'document-damaged',
      'it has more after its end (line 2',
    ],
    [
      'a last line of JSON that is cut off',
      '{"sku":"a","qty":1}\n{"sku":"b","qt',
      'truncated',
      'The JSON lines file breaks off',
    ],
    [
      'JSON in another encoding',
      Buffer.from('[{"sku":"\u00e9","qty":1}]', 'latin1'),
      'document-damaged',
      'it has bytes that are not UTF-8',
    ],
  ])('is refused with the place: %s', async (_, content, code, message) => {
    await expect(readDocument(content)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })

  it.each([
    [
      'a page in XHTML',
      '<?xml version="1.0"?><html xmlns="x"><body><p>1</p><p>2</p></body></html>',
      'not-csv-html',
      'a web page (HTML)',
    ],
    [
      'a sitemap',
      '<urlset><url><loc>a</loc><lastmod>b</lastmod></url><url><loc>c</loc><lastmod>d</lastmod></url></urlset>',
      'not-csv-xml',
      'a sitemap',
    ],
    ['an image', '<?xml version="1.0"?><svg><g/><g/></svg>', 'not-csv-xml', 'an image (SVG)'],
    [
      'an answer that says no',
      '<response><code>500</code><message>no</message></response>',
      'not-csv-xml',
      'has no element that repeats',
    ],
    [
      'an error as JSON',
      '{"error":{"code":1,"message":"no"}}',
      'not-csv-json',
      'has no list of objects',
    ],
    [
      'a list of errors',
      '{"errors":[{"code":1,"title":"no"},{"code":2,"title":"no"}]}',
      'not-csv-json',
      'It has “errors”.',
    ],
    ['an empty list', '{"products":[]}', 'not-csv-json', 'It has “products”.'],
    [
      'a property list',
      '<plist><dict><key>sku</key></dict><dict/></plist>',
      'not-csv-xml',
      'a property list',
    ],
    [
      'the description of a service',
      '{"openapi":"3.1.0","info":{},"paths":{}}',
      'not-csv-json',
      'OpenAPI',
    ],
    ['a schema', '{"$schema":"x","properties":{}}', 'not-csv-json', 'a schema'],
    ['numbers', '[1,2,3]', 'not-csv-json', 'has no list of objects'],
  ])('is refused if it is no table: %s', async (_, content, code, message) => {
    await expect(readDocument(content)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })
})
