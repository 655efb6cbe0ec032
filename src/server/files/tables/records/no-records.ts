import { type DocumentForm, documentNamed } from '../../../../shared/table-forms'
import { FileError } from '../../file-error'
import { listNames } from '../names'
import { DOCUMENT } from './json-nodes'
import { type ShapeNode, childrenOf } from './shape'

/** Documents that are no tables, by the names of their roots. */
const OTHER_DOCUMENTS: Record<string, string> = {
  html: 'a web page (XHTML)',
  urlset: 'a sitemap, which lists the pages of a site',
  sitemapindex: 'a list of sitemaps',
  svg: 'an image (SVG)',
  schema: 'a schema (XSD), which describes other files',
  definitions: 'the description of a service (WSDL)',
  opml: 'a list of feeds (OPML)',
  plist: 'a property list',
}
/** The same of JSON, by all that their objects have: other files name their schema, too. */
const OTHER_OBJECTS = [
  { has: ['$schema', 'properties'], what: 'a schema, which describes other files' },
  { has: ['$schema', '$defs'], what: 'a schema, which describes other files' },
  { has: ['openapi', 'info'], what: 'the description of a service (OpenAPI)' },
  { has: ['swagger', 'info'], what: 'the description of a service (OpenAPI)' },
]
/** Documents that have articles more often than goods, although those have titles and ids, too. */
const SYNDICATIONS = new Set(['feed', 'rss', 'rdf'])

export const isSyndication = (root: ShapeNode): boolean =>
  childrenOf(root).some(({ name }) => SYNDICATIONS.has(name.toLowerCase()))

/** @throws FileError for a document of which no list can be the table */
export function refuseOtherDocuments(root: ShapeNode, form: DocumentForm): void {
  const [document] = childrenOf(root)
  if (!document) return
  const what = findOther(document, form)
  if (what !== undefined) {
    const code = form === 'xml' ? 'not-csv-xml' : 'not-csv-json'
    throw new FileError(
      document.name.toLowerCase() === 'html' ? 'not-csv-html' : code,
      `The address gave ${what}, instead of a table. Enter the address of the products themselves.`,
    )
  }
}

function findOther(document: ShapeNode, form: DocumentForm): string | undefined {
  if (form === 'xml') {
    const isList = document.name === 'plist' && [document, ...childrenOf(document)].some(hasItems)
    return isList ? undefined : OTHER_DOCUMENTS[document.name.toLowerCase()]
  }
  if (form === 'ndjson' || document.isItem) return undefined
  return OTHER_OBJECTS.find(({ has }) => has.every((name) => document.children?.has(name)))?.what
}

const hasItems = (node: ShapeNode) =>
  childrenOf(node).some(({ isItem, children }) => isItem && children)

/** The error for a document without lists of records. */
export function noRecords(root: ShapeNode, form: DocumentForm): FileError {
  const document = childrenOf(root)[0]
  const parts = document?.name === DOCUMENT ? childrenOf(document) : childrenOf(root)
  const has = parts.length > 0 ? ` It has ${listNames(parts.map(({ name }) => name))}.` : ''
  const list = form === 'xml' ? 'element that repeats' : 'list of objects'
  return new FileError(
    form === 'xml' ? 'not-csv-xml' : 'not-csv-json',
    `${documentNamed(form)} has no ${list}, with two fields or more, of which each could be a row.${has}`,
  )
}
