import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import type { Column } from './table-column'

import classes from './data-table.module.css'

interface SortHeaderProps {
  column: Pick<Column<never>, 'id' | 'header' | 'isSortable' | 'align' | 'actionCount'>
  sort: string | undefined
  onSort: ((sort: string | undefined) => void) | undefined
  /** Shown before the header. */
  children?: ReactNode
}

/** A column header. Clicking a sortable one cycles through ascending, descending and unsorted. */
export function SortHeader({ column, sort, onSort, children }: SortHeaderProps) {
  const isUp = sort === column.id
  const isDown = sort === `-${column.id}`
  if (!column.isSortable || !onSort) {
    return (
      <th scope="col" data-align={column.align}>
        {children}
        {column.header}
      </th>
    )
  }
  const next = isUp ? `-${column.id}` : isDown ? undefined : column.id
  const SortGlyph = isUp ? IconArrowUp : isDown ? IconArrowDown : IconArrowsSort
  return (
    <th
      scope="col"
      data-align={column.align}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}
    >
      {children}
      <UnstyledButton
        className={classes.sort}
        data-active={isUp || isDown || undefined}
        onClick={() => onSort(next)}
      >
        {column.header}
        <SortGlyph size={13} stroke={2} aria-hidden="true" />
      </UnstyledButton>
    </th>
  )
}
