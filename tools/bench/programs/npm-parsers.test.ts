import { expect, it } from 'vitest'

import { createNpmParser } from './npm-parsers'

const TEXT = 'sku,name,category\r\n1,"Boot, ""brown""\r\nsize 42",Shoes\r\n2,Cap,Hats\r\n'

it.each(['udsv', 'papaparse', 'csv-parse'])('%s reads a text in pieces', async (name) => {
  const rows: (readonly string[])[] = []
  const parser = await createNpmParser(name, (row) => rows.push([...row]))
  const middle = TEXT.indexOf('2,Cap')
  await parser.write(TEXT.slice(0, middle))
  await parser.write(TEXT.slice(middle))
  await parser.end()
  expect(rows.slice(-2)).toEqual([
    ['1', 'Boot, "brown"\r\nsize 42', 'Shoes'],
    ['2', 'Cap', 'Hats'],
  ])
})
