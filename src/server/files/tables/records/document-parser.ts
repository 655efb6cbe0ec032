import type { DocumentForm } from '../../../../shared/table-forms'
import type { ProblemLog } from '../../read/problems'
import { splitChunk } from '../../read/table/table-reader'
import { createChosenDecoder, createTextDecoder, findUtf16 } from '../text-decoder'
import { createXmlParser } from '../xml-parser'
import { damagedDocument, truncatedDocument } from './document-errors'
import { createJsonNodes } from './json-nodes'
import { createJsonParser } from './json-parser'
import { createLineDocuments } from './line-documents'
import type { NodeHandler } from './node-handler'
import { createXmlNodes } from './xml-nodes'

/** Reads a document piece by piece; nothing of it is kept. */
interface DocumentParser {
  /** @throws FileError with the place in the document */
  write(bytes: Uint8Array): void
  /** @throws FileError for a document that is not complete */
  end(): void
  /** Tells what could not be read as it is written. */
  report(problems: ProblemLog): void
}

/** @param encoding the one that the supplier chose; null to find it in the document */
export function createDocumentParser(
  form: DocumentForm,
  nodes: NodeHandler,
  encoding: string | null = null,
): DocumentParser {
  const parser: PieceParser =
    form === 'xml' ? createXml(nodes, encoding) : createJson(form, nodes, encoding)
  return {
    write(bytes) {
      for (const piece of splitChunk(bytes)) parser.write(piece)
    },
    end: parser.end,
    report: parser.report,
  }
}

interface PieceParser extends Pick<DocumentParser, 'end' | 'report'> {
  write(piece: Buffer): void
}

function createXml(nodes: NodeHandler, encoding: string | null): PieceParser {
  const parser = createXmlParser(createXmlNodes(nodes), damaged, { allowsDoctype: true, encoding })
  let hasBegun = false

  function damaged(why: string) {
    const line = parser.line()
    return damagedDocument('xml', why, `line ${line.toLocaleString('en')}`, line)
  }

  return {
    write(bytes) {
      const piece = hasBegun ? bytes : withoutBlanks(bytes)
      hasBegun ||= piece.length > 0
      if (hasBegun) parser.write(piece)
    },
    end() {
      if (parser.isOpen()) throw truncatedDocument('xml')
      parser.end()
    },
    report: parser.report,
  }
}

/** Blanks before the declaration, with a byte order mark of UTF-8 before them, are not allowed, but frequent. */
function withoutBlanks(bytes: Buffer): Buffer {
  let at = 0
  while (at < bytes.length && BLANKS.has(bytes[at] as number)) at++
  return bytes.subarray(at)
}

const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

function createJson(
  form: 'json' | 'ndjson',
  nodes: NodeHandler,
  encoding: string | null,
): PieceParser {
  const isLines = form === 'ndjson'
  const handler = createJsonNodes(nodes, isLines)
  const lines = isLines ? createLineDocuments(handler) : null
  const parser = createJsonParser(
    lines ?? handler,
    { damaged, truncated: () => truncatedDocument(form) },
    isLines ? Infinity : 1,
  )
  const decode =
    encoding === null
      ? createTextDecoder((head) => findUtf16(head) ?? 'utf-8', damaged)
      : createChosenDecoder(encoding)

  function damaged(why: string) {
    const { line, character } = parser.place()
    const place = `line ${line.toLocaleString('en')}, character ${character.toLocaleString('en')} of the file`
    return damagedDocument(form, why, place, line)
  }

  return {
    write: (bytes) => parser.write(decode(bytes)),
    end() {
      parser.end()
      lines?.end()
    },
    report(problems) {
      const count = parser.halves()
      if (count > 0) problems.add(null, HALVES, { count })
    },
  }
}

const HALVES =
  'Texts have half a character, as programs write it that shorten them; “�” was put in its place.'
