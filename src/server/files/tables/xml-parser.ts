import { SaxesParser } from 'saxes'

import type { FileError } from '../file-error'
import type { ProblemLog } from '../read/problems'
import { createChosenDecoder, createTextDecoder, findUtf16 } from './text-decoder'

/** What is told of a document. Elements and attributes are known by their local names: prefixes are the writer's choice. */
export interface XmlHandler {
  /** Told before the element that has it; asking its attributes takes longer. */
  attribute?(qualifiedName: string, value: string): void
  /**
   * @param depth 1 for the root
   * @param qualifiedName the name with its prefix, if it has one
   */
  open(name: string, attributes: XmlAttributes, depth: number, qualifiedName: string): void
  close(name: string, depth: number): void
  text?(text: string): void
  /** A text that is marked as such; without this, `text` is told. */
  cdata?(text: string): void
}

/** What is told where neither prefixes nor marks of texts matter. */
export interface ElementHandler {
  open(name: string, attributes: XmlAttributes, depth: number): void
  close(name: string, depth: number): void
  text(text: string): void
}

export type XmlAttributes = Readonly<Record<string, string>>

/** Reads a document piece by piece; nothing of it is kept. */
export interface XmlParser {
  /** @throws FileError */
  write(bytes: Buffer): void
  end(): void
  /** The line that is read. */
  line(): number
  /** Whether elements are open. */
  isOpen(): boolean
  /** Tells what could not be read as it is written. */
  report(problems: ProblemLog): void
}

const MAX_DEPTH = 256
const MAX_ATTRIBUTES = 1_000
/** Of a single tag, text or comment. The longest text of a cell takes 400 KB with escapes. */
const MAX_TOKEN_BYTES = 1024 * 1024

interface XmlOptions {
  /** Whether the document may name a document type, which is not looked at. It may declare nothing in any case. */
  allowsDoctype?: boolean
  /** The one that the supplier chose. */
  encoding?: string | null
}

/** @param damaged makes the error for a document that cannot be read */
export function createXmlParser(
  handler: XmlHandler,
  damaged: (why: string) => FileError,
  { allowsDoctype = false, encoding = null }: XmlOptions = {},
): XmlParser {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({
    position: false,
    xmlns: false,
  })
  const notes = new Set<string>()
  const toText =
    encoding === null
      ? createTextDecoder(findEncoding, damaged, (note) => notes.add(note))
      : createChosenDecoder(encoding)
  let depth = 0
  let attributes = 0
  let silentBytes = 0

  parser.on('error', ({ message }) => {
    throw damaged(describeError(message))
  })
  parser.on('doctype', (doctype) => {
    if (!allowsDoctype || doctype.includes('[')) {
      throw damaged('it has a document type, which is not allowed there')
    }
  })
  parser.on('attribute', ({ name, value }) => {
    if (++attributes > MAX_ATTRIBUTES) throw damaged('an element has too many attributes')
    handler.attribute?.(name, value)
  })
  parser.on('opentag', (tag) => {
    silentBytes = 0
    attributes = 0
    if (++depth > MAX_DEPTH) throw damaged('its elements are nested too deeply')
    handler.open(localName(tag.name), tag.attributes, depth, tag.name)
  })
  parser.on('closetag', (tag) => {
    silentBytes = 0
    handler.close(localName(tag.name), depth--)
  })
  if (handler.text) {
    const text = handler.text.bind(handler)
    parser.on('text', text)
    parser.on('cdata', handler.cdata?.bind(handler) ?? text)
  }

  return {
    write(bytes) {
      silentBytes += bytes.length
      parser.write(toText(bytes))
      if (silentBytes > MAX_TOKEN_BYTES) throw damaged('one of its texts is too long')
    },
    end() {
      parser.close()
    },
    line: () => parser.line,
    isOpen: () => depth > 0,
    report(problems) {
      for (const note of notes) problems.add(null, note)
    },
  }
}

/** What suppliers are told of the parser's messages. */
function describeError(message: string): string {
  if (message.includes('entity')) return 'it has an “&” that begins no entity of XML; write “&amp;”'
  return message.includes('disallowed character.')
    ? 'it has a control character, which XML does not allow'
    : 'its XML is not well-formed'
}

/** Reads a whole document, or until the handler says that it has what it wants. */
export async function readXml(
  chunks: AsyncIterable<Buffer>,
  handler: XmlHandler,
  damaged: (why: string) => FileError,
  isDone: () => boolean = () => false,
): Promise<void> {
  const parser = createXmlParser(handler, damaged)
  for await (const chunk of chunks) {
    parser.write(chunk)
    if (isDone()) return
  }
  parser.end()
}

/** The value of an attribute whose prefix is not known. */
export function findAttribute(attributes: XmlAttributes, local: string): string | undefined {
  for (const name in attributes) if (localName(name) === local) return attributes[name]
  return undefined
}

export function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

const DECLARED_ENCODING = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.-]{1,40})["']/

/** The encoding of a document that begins so: as it declares, UTF-8 unless it begins otherwise. */
export function findEncoding(head: Buffer): string {
  const utf16 = findUtf16(head)
  if (utf16) return utf16
  const declared = DECLARED_ENCODING.exec(head.toString('latin1', 0, 200))?.[1]?.toLowerCase()
  return declared === undefined || declared === 'utf8' || declared.startsWith('utf-16')
    ? 'utf-8'
    : declared
}
