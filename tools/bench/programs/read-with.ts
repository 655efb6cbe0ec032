// Reads a workbook or a document from a URL with packages of npm in place of the product: receives it, writes it to a file, and
// counts its rows. Prints the seconds it took.
import { createWriteStream } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'

import { BOOK_READERS } from './npm-book-readers'
import { DOCUMENT_READERS } from './npm-document-readers'

const [name = '', url = '', target = ''] = process.argv.slice(2)
const read = BOOK_READERS[name] ?? DOCUMENT_READERS[name]?.countRows
if (!read) throw new Error(`There is no reader ${name}`)
const startedAt = performance.now()
const response = await new Promise<IncomingMessage>((resolve, reject) => {
  get(url, resolve).once('error', reject)
})
await pipeline(response, createWriteStream(target))
const rows = await read(target)
process.stdout.write(JSON.stringify({ seconds: (performance.now() - startedAt) / 1_000, rows }))
