import { xlsx } from '../../src/server/testing/fixtures/workbooks'

const NAMES = ['sku', 'name', 'category', 'quantity', 'price', 'weight']
/** Texts that rows share; each has one of its own besides. */
const NAMES_OF_PRODUCTS = 5_000
const CATEGORIES = 500

/**
 * Makes a workbook as Excel writes it, with all texts in the part for them, in the order of their first use.
 * @param version the first item has it in its name
 */
export function makeInventoryBook(rowCount: number, version: string): Buffer {
  const numbers = new Map<string, number>()
  const share = (text: string) => {
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return `t="s"><v>${number}`
  }
  const rows = [toRow(1, NAMES.map(share))]
  for (let row = 2; row <= rowCount + 1; row++) {
    const cells = [
      share(`SKU-${row}`),
      share(row === 2 ? version : `Boot, brown; kind ${row % NAMES_OF_PRODUCTS}`),
      share(`Shoes &gt; Kind ${row % CATEGORIES}`),
      `><v>${row % 97}`,
      `><v>${(row % 10_000) / 100}`,
      `><v>${(row % 300) / 10}`,
    ]
    rows.push(toRow(row, cells))
  }
  const texts = [...numbers.keys()].map((text) => `<si><t>${text}</t></si>`)
  return xlsx({ rows: rows.join(''), texts: texts.join('') })
}

const toRow = (row: number, cells: readonly string[]) =>
  `<row r="${row}">${cells.map((cell, column) => `<c r="${'ABCDEF'[column]}${row}" ${cell}</v></c>`).join('')}</row>`
