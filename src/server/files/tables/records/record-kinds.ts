import { normalizeName } from '../../read/normalize-name'

/** A cell of a record; null: left out, because it is too long. */
export type Cell = string | null | undefined

/**
 * Finds out whether a list may have things of several kinds: records without a key, and fields that no record with a
 * key has. So are the header and the sums of a file, or the brands in a dump of all tables.
 */
export interface RecordKinds {
  /** Says of a new column whether items are known by it, and where it is in the record. */
  addColumn(isKey: boolean, path: readonly string[]): void
  /** @param inner the columns of what the record has in a list, one after another */
  count(cells: readonly Cell[], inner: readonly number[]): void
  /** How many records have no key although others have, and a column that only they have, if there is one. */
  others(): { count: number; column: number | null } | null
  /** A column of records that have no field in common with others. */
  apart(): number | null
  /** A column that says of what kind records are, if those of two kinds have other fields each. */
  kindsIn(): { column: number; kinds: readonly string[] } | null
}

export function createRecordKinds(): RecordKinds {
  const isKey: boolean[] = []
  /** Whether a record with a key had a text in a column; how many columns none had. */
  const isOfItems: boolean[] = []
  let unknown = 0
  let keyless = 0
  /** How many records without a key had a text in a column. */
  const withoutKey: number[] = []
  const groups = createFieldGroups()
  const kindColumns: KindColumn[] = []

  function fill(column: number): void {
    if (isOfItems[column]) return
    isOfItems[column] = true
    unknown--
  }

  return {
    addColumn(isKeyColumn, path) {
      const name = normalizeName(path.at(-1) ?? '')
      if (KIND_NAMES.has(name) && path.length === 1) {
        kindColumns.push(createKindColumn(isKey.length))
      }
      isKey.push(isKeyColumn)
      isOfItems.push(false)
      withoutKey.push(0)
      unknown++
    },
    count(cells, inner) {
      groups.add(cells, inner)
      for (const kindColumn of kindColumns) kindColumn.add(cells, inner)
      const hasKey =
        cells.some((cell, column) => cell && isKey[column]) || inner.some((column) => isKey[column])
      if (!hasKey) keyless++
      else if (unknown === 0) return
      for (let column = 0; column < cells.length; column++) {
        if (!cells[column]) continue
        if (hasKey) fill(column)
        else withoutKey[column] = (withoutKey[column] as number) + 1
      }
      if (hasKey) inner.forEach(fill)
    },
    apart: groups.apart,
    kindsIn() {
      for (const { column, findApart } of kindColumns) {
        const kinds = findApart()
        if (kinds) return { column, kinds }
      }
      return null
    },
    others() {
      if (keyless === 0 || !isKey.some((isKeyColumn, column) => isKeyColumn && isOfItems[column])) {
        return null
      }
      const own = withoutKey.findIndex((count, column) => count > 0 && !isOfItems[column])
      return { count: keyless, column: own < 0 ? null : own }
    },
  }
}

/** Normalized names of what says of what kind a record is. */
const KIND_NAMES = new Set(
  'type kind stream table entity entitytype model collection recordtype objecttype rowtype linetype class index'.split(
    ' ',
  ),
)
/** A field with more is none that tells kinds apart. */
const MAX_KINDS = 10

/** Finds out which fields come together. */
function createFieldGroups() {
  /** The group of each column, which is called by its first one; -1 as long as no record has it. */
  const groupOf: number[] = []
  let count = 0

  function merge(column: number, group: number): void {
    const old = groupOf[column] ?? -1
    if (old < 0) groupOf[column] = group
    else {
      count--
      for (const [at, one] of groupOf.entries()) if (one === old) groupOf[at] = group
    }
  }

  return {
    add(cells: readonly Cell[], inner: readonly number[]): void {
      let group = -1
      const join = (column: number) => {
        const known = groupOf[column] ?? -1
        if (group < 0) {
          group = known < 0 ? column : known
          if (known < 0) {
            groupOf[column] = column
            count++
          }
        } else if (known !== group) merge(column, group)
      }
      for (let column = 0; column < cells.length; column++) if (cells[column]) join(column)
      for (const column of inner) join(column)
    },
    apart(): number | null {
      if (count < 2) return null
      const first = groupOf.find((group) => group >= 0)
      return groupOf.findIndex((group) => group >= 0 && group !== first)
    },
  }
}

interface KindColumn {
  column: number
  add(cells: readonly Cell[], inner: readonly number[]): void
  /** Two kinds of which each has fields that no other kind has. */
  findApart(): readonly string[] | null
}

function createKindColumn(column: number): KindColumn {
  const fieldsOf = new Map<string, Set<number>>()
  let isGivenUp = false
  return {
    column,
    add(cells, inner) {
      const kind = cells[column]
      if (isGivenUp || !kind) return
      let fields = fieldsOf.get(kind)
      if (!fields) {
        if (fieldsOf.size >= MAX_KINDS) {
          isGivenUp = true
          fieldsOf.clear()
          return
        }
        fields = new Set()
        fieldsOf.set(kind, fields)
      }
      for (let at = 0; at < cells.length; at++) if (cells[at]) fields.add(at)
      for (const at of inner) fields.add(at)
    },
    findApart() {
      const kinds = [...fieldsOf.keys()].filter((kind) => {
        const others = [...fieldsOf].filter(([other]) => other !== kind).map(([, fields]) => fields)
        return [...(fieldsOf.get(kind) ?? [])].some((at) => others.every((other) => !other.has(at)))
      })
      return kinds.length > 1 ? kinds.slice(0, 2) : null
    },
  }
}
