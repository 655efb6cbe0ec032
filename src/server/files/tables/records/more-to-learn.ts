import { isFieldElement, mayBeKey } from './key-evidence'
import { type ShapeNode, childrenOf, isRepeated, isShownText } from './shape'

/**
 * Whether records have texts with elements in them, or elements that an attribute may tell apart, or stand in one of
 * several with fields, of which the beginning of the document has shown nothing.
 */
export function hasMoreToLearn(node: ShapeNode): boolean {
  const { role, name, most, attributes, children, keyed } = node
  if (role?.base && role.steps < 0) {
    if (isShownText(node) && !(role.hint && isShownText(role.hint))) return true
    const mayHaveKey = !children && (most > 1 || isFieldElement(name))
    for (const { name: attribute, qualifiedName } of attributes?.values() ?? []) {
      if (mayHaveKey && mayBeKey(attribute) && !role.hint?.attributes?.has(qualifiedName))
        return true
    }
  }
  if (role?.isOnTheWay && !role.isOuter && isRepeated(node) && hasFields(node)) return true
  const inner = [...(children?.values() ?? []), ...(keyed?.values() ?? [])]
  return inner.some(hasMoreToLearn)
}

const hasFields = (node: ShapeNode): boolean =>
  node.attributes !== null ||
  childrenOf(node).some(({ role, texts }) => texts > 0 && role?.steps === -1)
