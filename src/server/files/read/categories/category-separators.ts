import { type CategorySeparators, foldName } from '../../../../shared/categories'
import { CATEGORY_CELL_MAX_LENGTH } from '../../../../shared/constants'

type PathSeparator = NonNullable<CategorySeparators['pathSeparator']>
type ListSeparator = NonNullable<CategorySeparators['listSeparator']>

/** Total length of the cells that are examined. */
const MAX_SAMPLE_CHARACTERS = 1024 * 1024

/**
 * Detects which characters separate the levels of a category path, and the categories of one cell.
 * Names contain slashes and commas themselves ("Indoor/Outdoor", "Bags, Cases & Luggage"), so a
 * character counts as a separator only when the parts it separates occur in other cells as well. When
 * in doubt, the result is null.
 * @param cells distinct cells, the most frequent first
 */
export function detectSeparators(cells: readonly string[]): CategorySeparators {
  const names = takeSample(cells)
  const listSeparator = findListSeparator(names)
  return { pathSeparator: findPathSeparator(listEntries(names, listSeparator)), listSeparator }
}

/** The single categories of names. */
function listEntries(names: Set<string>, separator: ListSeparator | null): Set<string> {
  if (separator === null) return names
  return new Set([...names].flatMap((name) => partsOf(name, separator)))
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

function partsOf(name: string, separator: string): string[] {
  return name
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Splits the names that contain the separator. */
function splitNames(names: Set<string>, separator: string): string[][] {
  return [...names]
    .filter((name) => name.includes(separator))
    .map((name) => partsOf(name, separator))
}

function countEach(parts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1)
  return counts
}

/** `|` and `;` hardly occur in names; for a comma, 80% of the lists must consist of known parts. */
function findListSeparator(names: Set<string>): ListSeparator | null {
  for (const [separator, needed] of [
    ['|', 0.5],
    [';', 0.5],
    [',', 0.8],
  ] as const) {
    const lists = splitNames(names, separator)
    const divided = lists.filter((parts) => parts.length > 1)
    // A single list is one if a part of it occurs elsewhere too.
    if (divided.length < (separator === ',' ? 2 : 1)) continue
    const occurrences = countEach([
      ...[...names].filter((name) => !name.includes(separator)),
      ...lists.flatMap((parts) => [...new Set(parts)]),
    ])
    const isKnown = (part: string) => (occurrences.get(part) ?? 0) > 1
    const agreeing = divided.filter((parts) =>
      separator === ',' ? parts.every(isKnown) : parts.some(isKnown),
    )
    const isAccepted = agreeing.length >= divided.length * needed
    if (isAccepted && (separator !== ',' || hasFreeParts(divided, names))) return separator
  }
  return null
}

/**
 * Tells lists from names with a comma: the parts of a list also occur alone or beside different other
 * parts, while those of a name ("Bags, Cases > Trolleys", "Bags, Cases > Belts") always occur
 * together.
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

/** The only other part that a part occurs beside; null when there are several. */
type Neighbour = string | null | undefined

function addNeighbour(known: Neighbour, other: Neighbour): Neighbour {
  if (other === undefined) return known
  return known === undefined || known === other ? other : null
}

/** Of separators for which enough speaks, the one with the most paths. */
function findPathSeparator(entries: Set<string>): PathSeparator | null {
  let found: PathSeparator | null = null
  let most = 0
  for (const [separator, needed, leastPaths] of [
    ['>', 0.5, 2],
    ['»', 0.5, 2],
    ['/', 0.7, 3],
  ] as const) {
    const names = [...entries].filter(
      (name) => name.includes(separator) && partsOf(name, separator).length > 1,
    )
    const paths = names.map((name) => partsOf(name, separator))
    if (paths.length <= most) continue
    const roots = countEach(paths.map(([root = '']) => root))
    const evident = names.filter((name) => isEvidentPath(name, separator, entries))
    const supported = paths.filter(([root = '']) => (roots.get(root) ?? 0) > 1 || entries.has(root))
    const isSupported =
      paths.length >= leastPaths &&
      supported.length >= paths.length * needed &&
      (separator !== '/' || isMostlyPaths(paths, roots, entries))
    // These signs hardly occur in names: where nearly all have one, roots need not repeat.
    const isEverywhere =
      separator !== '/' && paths.length >= leastPaths && paths.length >= entries.size * 0.8
    if (!isSupported && !isEverywhere && evident.length < paths.length * 0.5) continue
    found = separator
    most = paths.length
  }
  return found
}

const SPACED: Record<PathSeparator, RegExp> = { '>': /\s>\s/, '»': /\s»\s/, '/': /\s\/\s/ }

/**
 * Whether a name with a separator is a path even if it is the only one: its first part is a category
 * itself, or there are spaces around the separator, unless what follows is a number (`Size > 5`). A slash
 * with spaces separates levels only when there are three of them, because names have it too
 * (`Indoor / Outdoor`).
 */
function isEvidentPath(
  name: string,
  separator: PathSeparator,
  entries: ReadonlySet<string>,
): boolean {
  const [root = '', ...levels] = partsOf(name, separator)
  if (levels.length === 0) return false
  if (entries.has(root)) return true
  const isSpaced = SPACED[separator].test(name)
  const isText = levels.some((level) => !/^\d/.test(level))
  return isSpaced && isText && (separator !== '/' || levels.length > 1)
}

/** What separates lists, and the Greek question mark, which `foldName` makes a semicolon. */
const LIST_SIGN = /[|;,\u037E]/

/**
 * Finds a cell that is read as one category, although it looks like a path or a list.
 * @returns the cell with the separator that would split it; undefined without any
 */
export function findUnsplit(
  cells: readonly string[],
  reading: CategorySeparators,
): { cell: string; separator: string } | undefined {
  const { listSeparator: known, pathSeparator } = reading
  const mayBeLists = known === null && cells.some((cell) => LIST_SIGN.test(cell))
  const listSeparator = mayBeLists ? findListSeparator(takeSample(cells)) : null
  if (listSeparator !== null) {
    return findCell(cells, listSeparator, (name) => partsOf(name, listSeparator).length > 1)
  }
  if (pathSeparator !== null) return undefined
  const detected = detectSeparators(cells)
  const entries = listEntries(takeSample(cells), reading.listSeparator)
  for (const separator of ['>', '»', '/'] as const) {
    const isPath = (name: string) =>
      separator === detected.pathSeparator
        ? partsOf(name, separator).length > 1
        : isEvidentPath(name, separator, entries)
    const unsplit = findCell(cells, separator, (name) =>
      [...listEntries(new Set([name]), reading.listSeparator)].some(isPath),
    )
    if (unsplit) return unsplit
  }
  return undefined
}

function findCell(cells: readonly string[], separator: string, isMeant: (name: string) => boolean) {
  const cell = cells.find((text) => text.includes(separator) && isMeant(foldName(text)))
  return cell === undefined ? undefined : { cell: cell.trim(), separator }
}

/** A slash separates levels only when most categories are paths and share few roots. */
function isMostlyPaths(
  paths: string[][],
  roots: Map<string, number>,
  entries: Set<string>,
): boolean {
  const onTree = [...entries].filter((entry) => roots.has(entry)).length + paths.length
  return onTree >= entries.size * 0.6 && roots.size <= paths.length * 0.6
}
