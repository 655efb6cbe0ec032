import { foldName } from '../../../../shared/categories'
import { documentTooLarge } from './document-errors'
import { isFieldElement } from './key-evidence'
import { ANY_NAME } from './node-handler'
import type { ShapeNode } from './shape'

/** More than anybody can read. */
const MAX_NAME_CHARACTERS = 1_000

interface NamingOptions {
  /** Between the names of a path. */
  separator: '/' | '.'
  /** How the records are called, for names that their variants have too. */
  recordName: string
  isVariant: (base: ShapeNode) => boolean
}

interface ColumnNames {
  names: string[]
  /** Those that are not called by their paths, because others are called so, but for upper and lower case. */
  renamed: string[]
}

/**
 * Names columns by their paths from the record or the variant that has them: `stock/qty`, `price@currency`. The
 * shortest names are for the fields of variants, and for elements rather than attributes and those without a prefix;
 * what would have the same name gets a longer one.
 */
export function nameColumns(columns: readonly ShapeNode[], options: NamingOptions): ColumnNames {
  const { separator, recordName, isVariant } = options
  const named = columns.map((node) => {
    const base = baseOf(node)
    const isOwn = node.parent === base && node.kind === 'attribute'
    const hasPrefix = node.name !== node.qualifiedName && node.kind === 'element'
    return {
      node,
      base,
      isOwn,
      isOfVariant: isVariant(base),
      rank:
        (node.role?.base ? 0 : 8) +
        (isVariant(base) ? 0 : 4) +
        (isOwn ? 2 : 0) +
        (hasPrefix ? 1 : 0),
    }
  })
  const names = new Map<ShapeNode, string>()
  const taken = new Set<string>()
  const variantNames = new Set<string>()
  const renamed: string[] = []
  for (const { node, base, isOwn, isOfVariant } of named.toSorted(
    (one, other) => one.rank - other.rank,
  )) {
    const short = pathName(node, base, separator, recordName, false)
    const isOfBoth = variantNames.has(foldName(short))
    const inFront = `${recordName}${separator}${short}`
    const choices = [
      short,
      ...(isOfBoth ? [inFront] : []),
      ...(isOwn ? [`@${short}`] : [pathName(node, base, separator, recordName, true)]),
      inFront,
    ]
    const name =
      choices.find((choice) => !taken.has(foldName(choice))) ?? numberedName(short, taken)
    if (!isOfBoth && !isOwn && name !== choices[0] && name !== choices[1]) renamed.push(name)
    names.set(node, name)
    taken.add(foldName(name))
    if (isOfVariant) variantNames.add(foldName(short))
  }
  return { names: columns.map((node) => names.get(node) ?? ''), renamed }
}

/** What the path begins at: fields of what records stand in are called after that, if it has a name. */
function baseOf({ role }: ShapeNode): ShapeNode {
  const outer = role?.outer
  const isNamed = outer?.parent && outer.name !== '' && outer.name !== ANY_NAME
  return (role?.base ?? (isNamed ? outer.parent : outer)) as ShapeNode
}

function numberedName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number++) {
    const choice = `${name} ${number}`
    if (!taken.has(foldName(choice))) return choice
  }
}

function pathName(
  node: ShapeNode,
  base: ShapeNode,
  separator: string,
  recordName: string,
  hasPrefixes: boolean,
): string {
  if (node === base) return base.name === ANY_NAME || base.name === '' ? recordName : base.name
  let name = ''
  let at: ShapeNode | null = node
  let isOfAttribute = false
  for (; at && at !== base; at = at.parent) {
    const own = hasPrefixes ? at.qualifiedName : at.name
    if (at.kind === 'attribute') name = at.parent === base ? own : `@${own}`
    else if (at.kind === 'keyed' && at.parent && isFieldElement(at.parent.name)) {
      // The element says nothing beside its key.
      name = join(own, name, isOfAttribute ? '' : separator)
      at = at.parent
    } else name = join(own, name, isOfAttribute ? '' : separator)
    isOfAttribute = at.kind === 'attribute'
    if (name.length > MAX_NAME_CHARACTERS) throw documentTooLarge('a field whose name is too long')
  }
  return name
}

const join = (name: string, rest: string, separator: string) =>
  rest === '' ? name : name + separator + rest
