/** An inventory in the forms of documents, as programs of shops write them. */
export type DocumentForm = 'XML' | 'JSON' | 'HTML'

/** @param version the first item has it in its name */
export function makeInventoryDocument(
  form: DocumentForm,
  rowCount: number,
  version: string,
): string {
  const { start, end, separator, row } = FORMS[form]
  const rows = Array.from({ length: rowCount }, (_, at) => row(toItem(at + 1, version)))
  return `${start}\n${rows.join(separator)}\n${end}\n`
}

type Item = ReturnType<typeof toItem>

const toItem = (number: number, version: string) => ({
  sku: `SKU-${number}`,
  name: number === 1 ? version : `Boot, brown; kind ${number % 5_000}`,
  category: `Shoes / Kind ${number % 500}`,
  quantity: number % 97,
  price: (number % 10_000) / 100,
})

const FORMS: Record<
  DocumentForm,
  { start: string; end: string; separator: string; row(item: Item): string }
> = {
  XML: {
    start: '<?xml version="1.0" encoding="utf-8"?>\n<items>',
    end: '</items>',
    separator: '\n',
    row: ({ sku, name, category, quantity, price }) =>
      `<item id="${sku}"><name>${name}</name><category>${category}</category><quantity>${quantity}</quantity><price currency="EUR">${price}</price></item>`,
  },
  JSON: { start: '{"items":[', end: ']}', separator: ',\n', row: (item) => JSON.stringify(item) },
  HTML: {
    start:
      '<table><tr><th>sku</th><th>name</th><th>category</th><th>quantity</th><th>price</th></tr>',
    end: '</table>',
    separator: '\n',
    row: (item) =>
      `<tr>${Object.values(item)
        .map((cell) => `<td>${cell}</td>`)
        .join('')}</tr>`,
  },
}
