import type { XmlHandler } from '../xml-parser'
import type { ElementNodes, NodeHandler } from './node-handler'
import { namedValues } from './xml-forms'

/** Dumps of databases have an element for each table, with the name of the table as an attribute. */
const TABLE_ELEMENT = /^table(?:_data|_structure)?$/i

/** Tells of the elements of an XML document as nodes. */
export function createXmlNodes(nodes: NodeHandler): XmlHandler {
  const attributes: string[] = []
  const prefixes = createPrefixes()
  let told: ElementNodes = nodes
  return {
    attribute(name, value) {
      if (name.startsWith('xmlns')) prefixes.declare(name.slice('xmlns:'.length), value)
      attributes.push(name, value)
    },
    open(local, { name: table }, depth, name) {
      if (depth === 1) told = namedValues(local, nodes)
      const isTable = attributes.length > 0 && table !== undefined && TABLE_ELEMENT.test(local)
      const own = prefixes.rename(name, local)
      told.open(isTable ? `${own}[${table}]` : own, 'node', attributes)
      attributes.length = 0
    },
    close: () => told.close(),
    text: (text) => told.text(text, false),
    cdata: (text) => told.text(text, true),
  }
}

const MAX_PREFIXES = 1_000

/** Elements of one namespace are the same ones, with whatever prefix they were written. */
function createPrefixes() {
  const firstOf = new Map<string, string>()
  /** The first prefix of its namespace, by any other one. */
  const firstFor = new Map<string, string>()
  return {
    declare(prefix: string, namespace: string): void {
      const first = firstOf.get(namespace)
      if (first === undefined && firstOf.size < MAX_PREFIXES) firstOf.set(namespace, prefix)
      // Without a prefix are elements of any namespace.
      if (first === undefined || first === prefix || prefix === '') firstFor.delete(prefix)
      else if (firstFor.size < MAX_PREFIXES) firstFor.set(prefix, first)
    },
    rename(name: string, local: string): string {
      if (firstFor.size === 0 || name === local) return name
      const first = firstFor.get(name.slice(0, -local.length - 1))
      if (first === undefined) return name
      return first === '' ? local : `${first}:${local}`
    },
  }
}
