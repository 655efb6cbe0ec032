import type { Cell } from './record-kinds'
import type { NodeRole, ShapeNode } from './shape'

/**
 * Fields of what repeats on the way to rows, such as the category that products stand in, or the colour that sizes
 * do: each row in it repeats them.
 */
export interface OuterFields {
  /** @param rows how many there are before what begins */
  begin(node: ShapeNode, rows: number): void
  add(node: ShapeNode, column: number, text: string, rows: number): void
  repeatIn(row: Cell[]): void
  /** The names of fields that come behind the rows, and of those that are too long to be repeated. */
  left: Readonly<Record<'late' | 'tooLong', ReadonlySet<string>>>
}

interface OpenLevel {
  steps: number
  rows: number
  fields: { column: number; text: string }[]
}

/** What every row may repeat: a short file must not become a long one. */
const MAX_CHARACTERS = 1_000

/** For what records stand in, which are written as soon as they end. */
export function createOuterFields(join: (known: string, text: string) => string): OuterFields {
  let levels: OpenLevel[] = []
  let characters = 0
  const left = { late: new Set<string>(), tooLong: new Set<string>() }

  return {
    left,
    begin({ role }, rows) {
      const { steps } = role as NodeRole
      levels = levels.filter((level) => level.steps < steps)
      levels.push({ steps, rows, fields: [] })
      characters = levels
        .flatMap(({ fields }) => fields)
        .reduce((sum, { text }) => sum + text.length, 0)
    },
    add({ name, role }, column, text, rows) {
      const level = levels.find(({ steps }) => steps === role?.outer?.role?.steps)
      if (!level || text === '') return
      if (rows > level.rows) {
        left.late.add(name)
        return
      }
      if (characters + text.length > MAX_CHARACTERS) {
        left.tooLong.add(name)
        return
      }
      characters += text.length
      const known = level.fields.find((field) => field.column === column)
      if (known) known.text = join(known.text, text)
      else level.fields.push({ column, text })
    },
    repeatIn(row) {
      for (const { fields } of levels) for (const { column, text } of fields) row[column] = text
    },
  }
}

/** The same for what the variants of a record stand in, whose rows are written when the record ends. */
export interface MiddleFields {
  /** Forgets those of the record before. */
  clear(): void
  /** @param variants how many the record has so far */
  begin(node: ShapeNode, variants: number): void
  add(node: ShapeNode, column: number, cell: Cell): void
  /** Returns whether it has texts, and no variants. */
  end(variants: number): boolean
  repeatIn(row: Cell[], variant: number): void
}

export function createMiddleFields(join: (known: Cell, cell: string | null) => Cell): MiddleFields {
  type Cells = Map<number, Cell>
  let open: { node: ShapeNode; from: number; cells: Cells }[] = []
  /** By variant, the innermost first. */
  let ofVariants: Cells[][] = []

  return {
    clear() {
      open = []
      ofVariants = []
    },
    begin(node, variants) {
      open.push({ node, from: variants, cells: new Map() })
    },
    add({ role }, column, cell) {
      const cells = open.findLast(({ node }) => node === role?.outer)?.cells
      cells?.set(column, join(cells.get(column), cell ?? null))
    },
    end(variants) {
      const level = open.pop()
      if (!level || level.cells.size === 0) return false
      const { from, cells } = level
      const isAlone = from === variants && [...cells.values()].some((cell) => cell)
      for (let variant = from; variant < variants + Number(isAlone); variant++) {
        ;(ofVariants[variant] ??= []).push(cells)
      }
      return isAlone
    },
    repeatIn(row, variant) {
      for (const cells of ofVariants[variant] ?? []) {
        for (const [column, cell] of cells) row[column] = cell
      }
    },
  }
}
