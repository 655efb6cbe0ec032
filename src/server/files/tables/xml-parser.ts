import { isUtf8 } from 'node:buffer'

import { SaxesParser } from 'saxes'

import type { FileError } from '../file-error'

/** What is told of a document. Elements and attributes are known by their local names: prefixes are the writer's choice. */
export interface XmlHandler {
  /** @param depth 1 for the root */
  open(name: string, attributes: XmlAttributes, depth: number): void
  close(name: string, depth: number): void
  text?(text: string): void
}

export type XmlAttributes = Readonly<Record<string, string>>

/** Reads a document piece by piece; nothing of it is kept. */
export interface XmlParser {
  /** @throws FileError */
  write(bytes: Buffer): void
  end(): void
}

const MAX_DEPTH = 256
const MAX_ATTRIBUTES = 1_000
/** Of a single tag, text or comment. The longest text of a cell takes 400 KB with escapes. */
const MAX_TOKEN_BYTES = 1024 * 1024

/** @param damaged makes the error for a document that cannot be read */
export function createXmlParser(
  handler: XmlHandler,
  damaged: (why: string) => FileError,
): XmlParser {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({
    position: false,
    xmlns: false,
  })
  const toText = createTextDecoder(damaged)
  let depth = 0
  let attributes = 0
  let silentBytes = 0

  parser.on('error', () => {
    throw damaged('its XML is not well-formed')
  })
  parser.on('doctype', () => {
    throw damaged('it has a document type, which is not allowed there')
  })
  parser.on('attribute', () => {
    if (++attributes > MAX_ATTRIBUTES) throw damaged('an element has too many attributes')
  })
  parser.on('opentag', (tag) => {
    silentBytes = 0
    attributes = 0
    if (++depth > MAX_DEPTH) throw damaged('its elements are nested too deeply')
    handler.open(localName(tag.name), tag.attributes, depth)
  })
  parser.on('closetag', (tag) => {
    silentBytes = 0
    handler.close(localName(tag.name), depth--)
  })
  if (handler.text) {
    const text = handler.text.bind(handler)
    parser.on('text', text)
    parser.on('cdata', text)
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
  }
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

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

const DECLARED_ENCODING = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.-]{1,40})["']/

/** Decodes as a document declares: UTF-8 unless it begins otherwise. */
function createTextDecoder(damaged: (why: string) => FileError): (bytes: Buffer) => string {
  let decode: ((bytes: Buffer) => string) | undefined
  return (bytes) => {
    decode ??= chooseDecoder(bytes, damaged)
    return decode(bytes)
  }
}

function chooseDecoder(
  head: Buffer,
  damaged: (why: string) => FileError,
): (bytes: Buffer) => string {
  const encoding = findEncoding(head)
  if (encoding === 'utf-8') return createUtf8Decoder(damaged)
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(encoding, { fatal: true })
  } catch {
    throw damaged(`its encoding ${encoding} is not known`)
  }
  return (bytes) => {
    try {
      return decoder.decode(bytes, { stream: true })
    } catch {
      throw damaged(`it is not in the encoding ${encoding}, which it declares`)
    }
  }
}

/** The encoding of a document that begins so. */
export function findEncoding(head: Buffer): string {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0x3c && head[1] === 0)) {
    return 'utf-16le'
  }
  if ((head[0] === 0xfe && head[1] === 0xff) || (head[0] === 0 && head[1] === 0x3c)) {
    return 'utf-16be'
  }
  const declared = DECLARED_ENCODING.exec(head.toString('latin1', 0, 200))?.[1]?.toLowerCase()
  return declared === undefined || declared === 'utf8' || declared.startsWith('utf-16')
    ? 'utf-8'
    : declared
}

/** Faster than `TextDecoder`, which is slow with `stream`. */
function createUtf8Decoder(damaged: (why: string) => FileError): (bytes: Buffer) => string {
  let rest = Buffer.alloc(0)
  return (bytes) => {
    const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
    const end = all.length - unfinishedBytes(all)
    rest = Buffer.from(all.subarray(end))
    const whole = all.subarray(0, end)
    if (!isUtf8(whole)) throw damaged('it has bytes that are not UTF-8')
    return whole.toString('utf8')
  }
}

/** How many bytes at the end begin a character that is continued in the next chunk. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return back < needed ? back : 0
    }
  }
  return 0
}
