import { Group, Text, VisuallyHidden } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { Fragment } from 'react'

import { type CategorySeparators, readCategories } from '../../../shared/categories'
import { formatCountOf } from '../../../shared/format'

import classes from './category-examples.module.css'

interface CategoryExamplesProps {
  /** Cells of the category column. */
  cells: readonly string[]
  separators: CategorySeparators
}

/** What the separators make of a few cells: levels behind each other, several categories below each other. */
export function CategoryExamples({ cells, separators }: CategoryExamplesProps) {
  if (cells.length === 0) return null
  return (
    <div className={classes.examples}>
      <h3 className={classes.title}>How categories are read</h3>
      <ul className={classes.list} aria-label="How categories are read">
        {cells.map((cell) => {
          const paths = readCategories(cell, separators)
          return (
            <li key={cell} className={classes.example}>
              <span className={classes.cell} dir="auto">
                {cell}
              </span>
              <span className={classes.paths}>
                {paths.map((path, index) => (
                  // Levels may repeat, and their order never changes.
                  // oxlint-disable-next-line react/no-array-index-key
                  <Path key={index} levels={path} />
                ))}
              </span>
              <Text span inherit c="dimmed">
                {describe(paths)}
              </Text>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Path({ levels }: { levels: string[] }) {
  return (
    <Group component="span" gap={4}>
      {levels.map((level, depth) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={depth}>
          {depth > 0 && (
            <>
              <IconChevronRight size={14} aria-hidden="true" />
              <VisuallyHidden>, then </VisuallyHidden>
            </>
          )}
          <bdi className={classes.level}>{level}</bdi>
        </Fragment>
      ))}
    </Group>
  )
}

function describe(paths: string[][]): string {
  const [path] = paths
  if (!path) return 'No category'
  if (paths.length > 1) return formatCountOf(paths.length, 'category', 'categories')
  return formatCountOf(path.length, 'level')
}
