import { type CategorySigns, foldName } from '../../../shared/categories'
import { CATEGORY_CELL_MAX_LENGTH } from '../../../shared/constants'

type PathSign = NonNullable<CategorySigns['pathSign']>
type ListSign = NonNullable<CategorySigns['listSign']>

/** Enough cells to judge by. */
const MAX_SAMPLE_CHARACTERS = 1024 * 1024

/**
 * Which signs divide category cells. Names contain slashes and commas themselves
 * ("Indoor/Outdoor", "Bags, Cases & Luggage"), so a sign counts only when its parts come again in
 * other cells; in doubt none.
 * @param cells distinct cells, those that most rows have first
 */
export function detectSigns(cells: readonly string[]): CategorySigns {
  const names = takeSample(cells)
  const listSign = findListSign(names)
  const entries =
    listSign === null ? names : new Set([...names].flatMap((name) => partsOf(name, listSign)))
  return { pathSign: findPathSign(entries), listSign }
}

function takeSample(cells: readonly string[]): Set<string> {
  const names = new Set<string>()
  let characters = 0
  for (const cell of cells) {
    if (characters > MAX_SAMPLE_CHARACTERS) break
    characters += cell.length
    const name = cell.length > CATEGORY_CELL_MAX_LENGTH ? '' : foldName(cell)
    if (name !== '') names.add(name)
  }
  return names
}

function partsOf(name: string, sign: string): string[] {
  return name
    .split(sign)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** The parts of those names that have the sign. */
function divide(names: Set<string>, sign: string): string[][] {
  return [...names].filter((name) => name.includes(sign)).map((name) => partsOf(name, sign))
}

function countAll(parts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1)
  return counts
}

/** In doubtful signs nearly all divided cells must agree; `|` and `;` are hardly ever in names. */
function findListSign(names: Set<string>): ListSign | null {
  for (const [sign, needed] of [
    ['|', 0.5],
    [';', 0.5],
    [',', 0.8],
  ] as const) {
    const lists = divide(names, sign)
    const divided = lists.filter((parts) => parts.length > 1)
    if (divided.length < 2) continue
    const occurrences = countAll([
      ...[...names].filter((name) => !name.includes(sign)),
      ...lists.flatMap((parts) => [...new Set(parts)]),
    ])
    const isKnown = (part: string) => (occurrences.get(part) ?? 0) > 1
    const agreeing = divided.filter((parts) =>
      sign === ',' ? parts.every(isKnown) : parts.some(isKnown),
    )
    const isAccepted = agreeing.length >= divided.length * needed
    if (isAccepted && (sign !== ',' || hasFreeParts(divided, names))) return sign
  }
  return null
}

/**
 * Parts of a list also stand alone, or beside changing others; parts of a name with a comma in it
 * ("Bags, Cases > Trolleys", "Bags, Cases > Belts") always follow the same one.
 */
function hasFreeParts(divided: string[][], names: Set<string>): boolean {
  const neighbours = new Map<string, Neighbour>()
  for (const list of divided) {
    const parts = [...new Set(list)]
    for (const [index, part] of parts.entries()) {
      const other = parts.length > 2 ? null : parts[1 - index]
      neighbours.set(part, addNeighbour(neighbours.get(part), other))
    }
  }
  const free = [...neighbours].filter(([part, other]) => names.has(part) || other === null)
  return free.length >= neighbours.size * 0.5
}

/** The only one that a part has had; null for several, which are not kept. */
type Neighbour = string | null | undefined

function addNeighbour(known: Neighbour, other: Neighbour): Neighbour {
  if (other === undefined) return known
  return known === undefined || known === other ? other : null
}

function findPathSign(entries: Set<string>): PathSign | null {
  for (const [sign, needed, leastPaths] of [
    ['>', 0.5, 2],
    ['»', 0.5, 2],
    ['/', 0.7, 3],
  ] as const) {
    const paths = divide(entries, sign).filter((path) => path.length > 1)
    if (paths.length < leastPaths) continue
    const roots = countAll(paths.map(([root = '']) => root))
    const supported = paths.filter(([root = '']) => (roots.get(root) ?? 0) > 1 || entries.has(root))
    const isAccepted = supported.length >= paths.length * needed
    if (isAccepted && (sign !== '/' || isMostlyPaths(paths, roots, entries))) return sign
  }
  return null
}

/** A slash is a path sign only where most categories are paths, under few roots. */
function isMostlyPaths(
  paths: string[][],
  roots: Map<string, number>,
  entries: Set<string>,
): boolean {
  const onTree = [...entries].filter((entry) => roots.has(entry)).length + paths.length
  return onTree >= entries.size * 0.6 && roots.size <= paths.length * 0.6
}
