import { describe, expect, it } from 'vitest'

import { readDocument } from '../../../testing/stages/document-stage'
import { HEAD_BYTES } from './document-source'

async function read(content: string) {
  const { rows, notes } = await readDocument(content)
  return { rows: rows.map((cells) => cells.join('¦')), notes: notes.join('\n') }
}

const variants = (...skus: string[]) =>
  `<variants>${skus.map((sku) => `<variant><sku>${sku}</sku><qty>1</qty></variant>`).join('')}</variants>`
const product = (name: string, ...skus: string[]) =>
  `<product><name>${name}</name><price>9</price>${variants(...skus)}</product>`

describe('fields of what records stand in', () => {
  it('are repeated for each of them, and are called after what they stand in', async () => {
    const xml = `<shop><category id="7"><name>Shoes</name>${product('Boot', 'A', 'B')}${product('Clog', 'C')}</category>
      <category id="8">${product('Hat', 'D')}</category><category id="9"/></shop>`
    const { rows } = await read(xml)
    expect(rows).toEqual([
      'category@id¦category/name¦name¦price¦sku¦qty',
      '7¦Shoes¦Boot¦9¦A¦1',
      '7¦Shoes¦Boot¦9¦B¦1',
      '7¦Shoes¦Clog¦9¦C¦1',
      '8¦¦Hat¦9¦D¦1',
    ])
  })

  const department = (fields: object, sku: string, behind: object = {}) => ({
    ...fields,
    products: [{ title: 't', variants: [{ sku, qty: 1 }] }],
    ...behind,
  })

  it('are none of a list in it, nor of pages', async () => {
    const filters = [{ by: 'a', to: 'b' }]
    const pages = [1, 2].map((page) =>
      department({ page, region: `R${page}`, filters }, `A${page}`),
    )
    const { rows } = await read(pages.map((one) => JSON.stringify(one)).join('\n'))
    expect(rows).toEqual(['region¦title¦sku¦qty', 'R1¦t¦A1¦1', 'R2¦t¦A2¦1'])
  })

  it('are told of if they come behind the records, or are too long to be repeated', async () => {
    const long = 'y'.repeat(1_001)
    const departments = [department({}, 'A', { head: 'x' }), department({ about: long }, 'B')]
    const { rows, notes } = await read(JSON.stringify({ departments }))
    expect(rows.slice(1).map((row) => row.replaceAll('¦', ''))).toEqual(['tA1', 'tB1'])
    expect(notes).toContain('The file has “head” behind the records that stand in it')
    expect(notes).toContain('“about”, which is too long to be repeated')
  })

  it('are repeated if only the rest of a long file shows that there are several', async () => {
    const filler = Array.from({ length: HEAD_BYTES / 50 }, (_, at) =>
      product('Boot of leather, waterproof', `A${at}`),
    )
    const xml = `<shop><category name="a">${filler.join('')}</category><category name="b">${product('Hat', 'Z')}</category></shop>`
    const { rows } = await read(xml)
    expect(rows[1]).toBe('a¦Boot of leather, waterproof¦9¦A0¦1')
    expect(rows.at(-1)).toBe('b¦Hat¦9¦Z¦1')
  })
})

describe('fields of what variants stand in', () => {
  const size = (name: string, ean: string) => ({ name, ean, qty: 1 })
  const style = (...colours: object[]) => ({ styles: [{ style: 'S', title: 't', colours }] })

  it('belong to these alone, and to a row of their own if there are none', async () => {
    const { rows } = await read(
      JSON.stringify(
        style(
          { colour: 'red', sizes: [size('S', '1'), size('M', '2')], code: 'r' },
          { colour: 'blue', sizes: [], code: 'b' },
          { colour: 'green', sizes: [size('L', '3')] },
        ),
      ),
    )
    const [names = '', ...others] = rows
    const colour = names.split('¦').findIndex((name) => name.endsWith('colour'))
    const code = names.split('¦').findIndex((name) => name.endsWith('code'))
    const ean = names.split('¦').findIndex((name) => name.endsWith('ean'))
    const shown = others
      .map((row) => row.split('¦'))
      .map((cells) => [colour, code, ean].map((at) => cells[at]).join('¦'))
    expect(shown).toEqual(['red¦r¦1', 'red¦r¦2', 'blue¦b¦', 'green¦¦3'])
  })
})
