import type { XmlHandler } from '../xml-parser'
import type { NodeHandler } from './node-handler'

/** Dumps of databases have an element for each table, with the name of the table as an attribute. */
const TABLE_ELEMENT = /^table(?:_data|_structure)?$/i

/** Tells of the elements of an XML document as nodes. */
export function createXmlNodes(nodes: NodeHandler): XmlHandler {
  return {
    open(local, attributes, _depth, name) {
      const { name: table } = attributes
      const isTable = table !== undefined && TABLE_ELEMENT.test(local)
      nodes.open(isTable ? `${name}[${table}]` : name, 'node', attributes)
    },
    close: nodes.close,
    text: (text) => nodes.text(text, false),
    cdata: (text) => nodes.text(text, true),
  }
}
