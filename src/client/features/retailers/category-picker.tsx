import { useId } from 'react'

import { formatCount, formatCountOf } from '../../../shared/format'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { LoadError } from '../../components/feedback/message-state'
import { toggleCategory } from './category-nodes'
import { CategoryTree } from './category-tree'
import { ChosenCategories } from './chosen-categories'
import { useCategoryChoice } from './use-category-choice'
import type { CategoryFile } from './use-file-categories'

import classes from './visibility-fields.module.css'

interface CategoryPickerProps {
  file: CategoryFile
  categories: string[]
  onChange: (categories: string[]) => void
}

/** The category tree of the file, with the number of rows that the choice makes visible. */
export function CategoryPicker({ file, categories, onChange }: CategoryPickerProps) {
  const titleId = useId()
  const choice = useCategoryChoice(file, categories)
  const { visibleRows, places } = choice
  return (
    <section aria-labelledby={titleId} className={classes.picker}>
      <div>
        <h3 id={titleId} className={classes.title}>
          Categories
        </h3>
        <p className={classes.hint}>
          The retailer gets the rows of these categories and their subcategories.
        </p>
      </div>
      {choice.isKnown ? (
        <CategoryTree
          file={file}
          categories={categories}
          places={places}
          onToggle={(node, path) => {
            choice.addPlaces([[path, node.place]])
            onChange(toggleCategory(categories, places, node, path))
          }}
          footer={<VisibleRows file={file} query={visibleRows} />}
        />
      ) : visibleRows.isError ? (
        <div className={classes.frame}>
          <LoadError isCompact title="The categories could not be loaded" query={visibleRows} />
        </div>
      ) : (
        <LoadingBlock height={180} label="Loading the categories" />
      )}
      <ChosenCategories
        title="Also chosen"
        note={file.isCut ? 'not listed' : 'not in the file'}
        categories={categories.filter((category) => places.get(category) === null)}
        onChange={(missing) => {
          const kept = new Set(missing)
          onChange(categories.filter((name) => places.get(name) !== null || kept.has(name)))
        }}
      />
    </section>
  )
}

interface VisibleRowsProps {
  file: CategoryFile
  query: ReturnType<typeof useCategoryChoice>['visibleRows']
}

/** '1,204 of 9,880 rows visible'. */
function VisibleRows({ file, query }: VisibleRowsProps) {
  const visibleRows = query.data
  if (query.isError || visibleRows === undefined) {
    return (
      <p className={classes.summary}>
        {query.isError ? 'The visible rows could not be counted.' : 'Counting the visible rows …'}
      </p>
    )
  }
  return (
    <output
      className={classes.summary}
      data-figures
      data-tone={visibleRows === 0 ? 'warn' : undefined}
      aria-busy={query.isPlaceholderData}
    >
      <strong>
        {formatCount(visibleRows)} of {formatCountOf(file.rowCount, 'row')} visible
      </strong>
      {visibleRows === 0 && ': this retailer gets the header only'}
    </output>
  )
}
