import { useDeferredValue, useId, useMemo } from 'react'

import { countVisibleRows } from '../../../shared/categories'
import { formatCount } from '../../../shared/format'
import { indexCategories, readChoice, toggleCategory } from './category-index'
import { CategoryTree } from './category-tree'
import { ChosenCategories } from './chosen-categories'
import type { FileCategoriesState } from './use-file-categories'

import classes from './visibility-fields.module.css'

interface CategoryPickerProps {
  file: Extract<FileCategoriesState, { kind: 'ready' }>
  categories: string[]
  onChange: (categories: string[]) => void
}

/** The categories of the file as a tree, with the rows that the chosen ones make visible. */
export function CategoryPicker({ file, categories, onChange }: CategoryPickerProps) {
  const titleId = useId()
  const { counts, reading } = file
  const index = useMemo(() => indexCategories(counts, reading), [counts, reading])
  const choice = useMemo(() => readChoice(index, categories), [index, categories])
  return (
    <section aria-labelledby={titleId} className={classes.picker}>
      <div>
        <h3 id={titleId} className={classes.title}>
          Categories
        </h3>
        <p className={classes.hint}>
          The retailer gets the rows of these categories and of those below them.
        </p>
      </div>
      <CategoryTree
        index={index}
        choice={choice}
        categories={categories}
        onToggle={(place) => onChange(toggleCategory(index, categories, place))}
        footer={<VisibleRows file={file} categories={categories} />}
      />
      <ChosenCategories
        title="Also chosen"
        note="not in the file"
        categories={choice.missing}
        onChange={(missing) => {
          const kept = new Set(missing)
          onChange(categories.filter((name) => index.find(name) !== undefined || kept.has(name)))
        }}
      />
    </section>
  )
}

/** '1,204 of 9,880 rows visible', a moment after the last choice when the file is large. */
function VisibleRows({ file, categories }: Omit<CategoryPickerProps, 'onChange'>) {
  const settled = useDeferredValue(categories)
  const { counts, reading, rowCount } = file
  const visibleCount = useMemo(
    () => countVisibleRows(counts, settled, reading),
    [counts, settled, reading],
  )
  return (
    <output className={classes.summary} data-figures>
      <strong>
        {formatCount(visibleCount)} of {formatCount(rowCount)} rows visible
      </strong>
      {visibleCount === 0 && ': this retailer gets the header only'}
    </output>
  )
}
