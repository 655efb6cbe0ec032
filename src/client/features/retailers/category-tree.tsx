import { useMemo, type ReactNode } from 'react'

import { formatCount } from '../../../shared/format'
import type { CategoryNode } from '../../../shared/schemas/category'
import { LoadError } from '../../components/feedback/message-state'
import { CheckTree } from '../../components/form/check-tree'
import { listLines, pathOf, toChosenPlaces, type Places, type TreeLine } from './category-nodes'
import { toTreeRow } from './category-rows'
import { CategorySearch } from './category-search'
import { useCategoryLevels } from './use-category-levels'
import { useCategorySearch } from './use-category-search'
import type { CategoryFile } from './use-file-categories'
import { useOpenCategories } from './use-open-categories'

import classes from './visibility-fields.module.css'

interface CategoryTreeProps {
  file: CategoryFile
  categories: string[]
  places: Places
  onToggle: (node: CategoryNode, path: string) => void
  /** Shown below the tree, also during a search. */
  footer: ReactNode
}

/** The tree, with a search field for large files. */
export function CategoryTree({ file, categories, places, onToggle, footer }: CategoryTreeProps) {
  const chosen = useMemo(() => toChosenPlaces(categories, places), [categories, places])
  const levels = useCategoryLevels(file)
  const openLevels = useOpenCategories(file.isLarge, chosen)
  const search = useCategorySearch(file)
  const { isSearching } = search
  const { tree } = isSearching ? search : levels
  const { isOpen, setOpen } = isSearching ? search.open : openLevels
  const lines = listLines(tree, file.topCount, { chosen, isOpen, hasRest: !isSearching })
  return (
    <div className={classes.frame}>
      {file.isLarge && (
        <CategorySearch
          categoryCount={file.categoryCount}
          query={search.text}
          onChange={search.setText}
        />
      )}
      {isSearching && search.query.isError ? (
        <LoadError isCompact title="The search failed" query={search.query} />
      ) : lines.length === 0 ? (
        <p className={classes.nothing}>{explainNothing(search)}</p>
      ) : (
        <CheckTree
          key={String(isSearching)}
          label="Categories"
          unit="row"
          isBusy={isSearching && !search.isSettled}
          rowCount={lines.length}
          rowAt={(row) => toTreeRow(lineAt(lines, row), chosen, levels.failed)}
          onToggle={(row) => {
            const line = lineAt(lines, row)
            if (line.kind === 'category') onToggle(line.node, pathOf(tree, line.node))
          }}
          onOpen={setOpen}
          onReach={(row) => {
            const line = lineAt(lines, row)
            if (line.kind === 'rest') levels.load(line.under, line.known)
          }}
        />
      )}
      {isSearching && search.hiddenCount > 0 && (
        <p className={classes.more}>
          and {formatCount(search.hiddenCount)} more. Type more to narrow the search.
        </p>
      )}
      {!isSearching && file.isCut && (
        <p className={classes.more}>
          The file has more categories than can be listed. Choose an unlisted one through its parent
          category.
        </p>
      )}
      <div className={classes.footer}>{footer}</div>
    </div>
  )
}

function explainNothing(search: ReturnType<typeof useCategorySearch>): ReactNode {
  if (!search.isSearching) return 'No row of the file has a category.'
  if (!search.isSettled) return 'Searching …'
  return (
    <>
      No category matches “<bdi>{search.text.trim()}</bdi>”.
    </>
  )
}

function lineAt(lines: readonly TreeLine[], row: number): TreeLine {
  const line = lines[row]
  if (!line) throw new RangeError(`There is no line ${row}`)
  return line
}
