import { describe, expect, it } from 'vitest'

import { readDocument } from '../../../testing/stages/document-stage'

async function rowsOf(...document: Parameters<typeof readDocument>) {
  const { rows } = await readDocument(...document)
  return rows.map((cells) => cells.join('¦'))
}

describe('a document', () => {
  it('is an item itself if it has a key with a price or a quantity', async () => {
    expect(await rowsOf('{"sku":"A","qty":5}')).toEqual(['sku¦qty', 'A¦5'])
    expect(await rowsOf('<item><sku>A</sku><price>5</price></item>')).toEqual(['sku¦price', 'A¦5'])
    for (const other of ['{"id":1,"price":5}', '{"sku":"A","message":"not found"}']) {
      await expect(readDocument(other)).rejects.toMatchObject({ code: 'not-csv-json' })
    }
  })

  it('may have one item, with variants', async () => {
    const json = {
      product: {
        id: 7,
        title: 'Boot',
        variants: [
          { sku: 'A', qty: 1 },
          { sku: 'B', qty: 2 },
        ],
      },
    }
    expect(await rowsOf(JSON.stringify(json))).toEqual([
      'id¦title¦sku¦qty',
      '7¦Boot¦A¦1',
      '7¦Boot¦B¦2',
    ])
  })

  it('may be several objects, of several lines or of a part of one', async () => {
    const objects = ['A', 'B', 'C'].map((sku) => ({ sku, qty: 1 }))
    for (const indent of [2, undefined]) {
      const text = objects.map((one) => JSON.stringify(one, null, indent)).join(indent ? '\n' : '')
      expect(await rowsOf(text)).toEqual(['sku¦qty', 'A¦1', 'B¦1', 'C¦1'])
    }
  })

  it('may have instructions and comments before its first element', async () => {
    const xml =
      '<!-- a --><?b c?>\n<items><i><sku>A</sku><qty>1</qty></i><i><sku>B</sku><qty>2</qty></i></items>'
    expect(await rowsOf(xml)).toEqual(['sku¦qty', 'A¦1', 'B¦2'])
  })
})

describe('lists of the same items', () => {
  const list = (...skus: string[]) =>
    skus.map((sku) => `<item><sku>${sku}</sku><price>1</price></item>`).join('')

  it('are one list', async () => {
    const xml = `<export><date>d</date><new>${list('A', 'B')}</new><changed>${list('C', 'D')}</changed></export>`
    expect(await rowsOf(xml)).toEqual([
      'key¦sku¦price',
      'new¦A¦1',
      'new¦B¦1',
      'changed¦C¦1',
      'changed¦D¦1',
    ])
  })

  it('are not one list if one has what is no longer offered', async () => {
    const xml = `<export><changed>${list('A', 'B')}</changed><deleted>${list('C', 'D')}</deleted></export>`
    await expect(readDocument(xml)).rejects.toMatchObject({ code: 'several-tables' })
  })
})

describe('an encoding', () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1')

  it('that is chosen is that of a document which declares another one or none', async () => {
    const xml = latin1('<r><i><sku>A</sku><t>Größe</t></i><i><sku>B</sku><t>é</t></i></r>')
    const json = latin1('[{"sku":"A","t":"Größe"},{"sku":"B","t":"é"}]')
    for (const content of [xml, json]) {
      await expect(readDocument(content)).rejects.toThrow(/not UTF-8 .*or choose its encoding\.$/)
      expect(await rowsOf(content, { encoding: 'windows-1252' })).toEqual([
        'sku¦t',
        'A¦Größe',
        'B¦é',
      ])
    }
  })

  it('that does not fit is refused', async () => {
    const json = latin1('[{"sku":"A","t":"Größe"},{"sku":"B","t":"é"}]')
    await expect(readDocument(json, { encoding: 'utf-8' })).rejects.toMatchObject({
      code: 'wrong-choice',
    })
  })
})

it('elements that are named like each other again are one column', async () => {
  const tags = (...names: string[]) =>
    names.map((tag) => `<field name="tag">${tag}</field>`).join('')
  const doc = (sku: string, inner: string) =>
    `<doc><field name="sku">${sku}</field><field name="price">1</field>${inner}</doc>`
  const xml = `<add>${doc('A', tags('x', 'y', 'z', 'w'))}${doc('B', tags('x'))}</add>`
  expect(await rowsOf(xml)).toEqual(['sku¦price¦tag', 'A¦1¦x | y | z | w', 'B¦1¦x'])
})

it('fields in several languages are no items', async () => {
  const value = (data: string) => [
    { locale: 'en', data },
    { locale: 'de', data },
  ]
  const items = ['A', 'B'].map((sku) => ({
    sku,
    price: 1,
    values: { name: value('n'), ean: value('e'), description: value('d') },
  }))
  expect(await rowsOf(JSON.stringify({ items }))).toHaveLength(3)
})
