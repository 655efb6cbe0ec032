import { ANY_NAME } from './node-handler'
import { type ShapeNode, childrenOf, pathOf } from './shape'
import { kindOfField } from './worth'

/**
 * The paths of lists of objects in the cells of records or of their variants, in which keys, prices or quantities
 * stand, however deeply.
 */
export function findListsOfGoods(record: ShapeNode, variant: ShapeNode | null): string[][] {
  const paths: string[][] = []
  const isVariant = (node: ShapeNode) =>
    variant !== null && isSamePath(pathOf(node, record), pathOf(variant, record))
  const visit = (parent: ShapeNode) => {
    for (const node of childrenOf(parent)) {
      if (!node.isItem || !node.children || isVariant(node)) visit(node)
      else if (hasGoods(node, record)) paths.push(pathOf(node, record))
    }
  }
  visit(record)
  return paths
}

const isSamePath = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length &&
  one.every((name, at) => name === other[at] || other[at] === ANY_NAME)

function hasGoods(node: ShapeNode, record: ShapeNode): boolean {
  return childrenOf(node).some((child) => {
    const kind = child.texts > 0 ? kindOfField(pathOf(child, record)) : undefined
    return (kind !== undefined && kind !== 'id') || hasGoods(child, record)
  })
}
