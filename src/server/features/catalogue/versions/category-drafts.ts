import {
  foldName,
  PATH_JOINT,
  readCategories,
  type CategorySeparators,
} from '../../../../shared/categories'

/** Limits for one file, far above any real catalogue. */
const MAX_CATEGORIES = 50_000
const MAX_KEY_CHARACTERS = 6 * 1024 * 1024

/** A category while the tree is being built. */
export interface CategoryDraft {
  label: string
  /** The folded path, by which categories are compared. */
  key: string
  parent: CategoryDraft | null
  children: CategoryDraft[]
  /** The rows of all cells that contain this category or one below it, each cell counted once. */
  rows: number
  lastCell: number
  /** The position in the order of the tree, set once that is known. */
  place: number
}

/** Collects the categories of cells. */
export function createCategoryCollector(reading: CategorySeparators) {
  const byKey = new Map<string, CategoryDraft>()
  const roots: CategoryDraft[] = []
  let keyCharacters = 0
  let cellNumber = 0
  let isCut = false

  function find(label: string, parent: CategoryDraft | null): CategoryDraft | undefined {
    const name = foldName(label)
    // Equals the folded whole path: folding never combines characters across the joint.
    const key = parent ? `${parent.key}${PATH_JOINT}${name}` : name
    const known = byKey.get(key)
    if (known) return known
    if (byKey.size >= MAX_CATEGORIES || keyCharacters + key.length > MAX_KEY_CHARACTERS) {
      isCut = true
      return undefined
    }
    keyCharacters += key.length
    const draft = { label, key, parent, children: [], rows: 0, lastCell: 0, place: 0 }
    byKey.set(key, draft)
    const siblings: CategoryDraft[] = parent ? parent.children : roots
    siblings.push(draft)
    return draft
  }

  return {
    roots,
    /** Whether categories were left out because of a limit. */
    isCut: () => isCut,
    /** Adds a cell; returns its categories and all their ancestors, each once. */
    add(cell: string, rows: number): CategoryDraft[] {
      cellNumber += 1
      const touched: CategoryDraft[] = []
      for (const path of readCategories(cell, reading)) {
        let parent: CategoryDraft | null = null
        for (const label of path) {
          const draft: CategoryDraft | undefined = find(label, parent)
          if (!draft) break
          parent = draft
          if (draft.lastCell === cellNumber) continue
          draft.lastCell = cellNumber
          draft.rows += rows
          touched.push(draft)
        }
      }
      return touched
    },
  }
}
