import type { XmlHandler } from '../xml-parser'
import type { NodeHandler } from './node-handler'

/** Dumps of databases have an element for each table, with the name of the table as an attribute. */
const TABLE_ELEMENT = /^table(?:_data|_structure)?$/i

/** Tells of the elements of an XML document as nodes. */
export function createXmlNodes(nodes: NodeHandler): XmlHandler {
  const attributes: string[] = []
  return {
    attribute(name, value) {
      attributes.push(name, value)
    },
    open(local, { name: table }, _depth, name) {
      const isTable = attributes.length > 0 && table !== undefined && TABLE_ELEMENT.test(local)
      nodes.open(isTable ? `${name}[${table}]` : name, 'node', attributes)
      attributes.length = 0
    },
    close: nodes.close,
    text: (text) => nodes.text(text, false),
    cdata: (text) => nodes.text(text, true),
  }
}
