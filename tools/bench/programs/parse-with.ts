// Reads a file from a URL with a parser of npm in place of the product's: receives, decodes and parses
// it, counts rows and tallies categories, hashes it and writes it to a file. Prints the seconds it took.
import { createHash } from 'node:crypto'
import { openSync, writeSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'

import { createNpmParser } from './npm-parsers'

const [name = '', url = '', target = ''] = process.argv.slice(2)
const categories = new Map<string, number>()
let rows = 0

const parser = await createNpmParser(name, ([, , category = '']) => {
  rows += 1
  categories.set(category, (categories.get(category) ?? 0) + 1)
})
const startedAt = performance.now()
const response = await new Promise<IncomingMessage>((resolve, reject) => {
  get(url, resolve).once('error', reject)
})
const hash = createHash('sha256')
const decoder = new TextDecoder('utf-8', { fatal: true })
const file = openSync(target, 'w')
for await (const chunk of response as AsyncIterable<Buffer>) {
  hash.update(chunk)
  writeSync(file, chunk)
  await parser.write(decoder.decode(chunk, { stream: true }))
}
await parser.end()
const seconds = (performance.now() - startedAt) / 1_000
process.stdout.write(JSON.stringify({ seconds, rows, sha256: hash.digest('hex') }))
