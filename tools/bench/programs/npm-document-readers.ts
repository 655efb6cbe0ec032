import { createReadStream } from 'node:fs'

import type { DocumentForm } from '../inventory-document'

/** The parsers of npm for documents, by the form that they read: each finds all that there is, and keeps nothing. */
export const DOCUMENT_READERS: Record<
  string,
  { form: DocumentForm; countRows(path: string): Promise<number> }
> = {
  saxes: { form: 'XML', countRows: countElements },
  '@streamparser/json': { form: 'JSON', countRows: countObjects },
  htmlparser2: { form: 'HTML', countRows: countTags },
}

async function countElements(path: string): Promise<number> {
  const { SaxesParser } = await import('saxes')
  let rows = 0
  const parser = new SaxesParser({ position: false })
  parser.on('opentag', ({ name }) => {
    if (name === 'item') rows++
  })
  parser.on('text', () => undefined)
  for await (const text of readTexts(path)) parser.write(text)
  parser.close()
  return rows
}

async function countObjects(path: string): Promise<number> {
  const { Tokenizer, TokenType } = await import('@streamparser/json')
  let objects = 0
  const tokenizer = new Tokenizer()
  tokenizer.onToken = ({ token }) => {
    if (token === TokenType.LEFT_BRACE) objects++
  }
  for await (const chunk of createReadStream(path)) tokenizer.write(chunk as Buffer)
  // The first one has all others in it.
  return objects - 1
}

async function countTags(path: string): Promise<number> {
  const { Parser } = await import('htmlparser2')
  let rows = 0
  const parser = new Parser({
    onopentag(name) {
      if (name === 'tr') rows++
    },
    ontext: () => undefined,
  })
  for await (const text of readTexts(path)) parser.write(text)
  parser.end()
  // The first one is the header.
  return rows - 1
}

async function* readTexts(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of createReadStream(path)) {
    yield decoder.decode(chunk as Buffer, { stream: true })
  }
}
