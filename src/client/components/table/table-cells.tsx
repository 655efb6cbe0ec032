import type { MouseEvent, ReactNode } from 'react'

import { Truncated } from '../layout/truncated'
import type { Column } from './table-column'

/** Excludes clicks on links and controls inside the row, and clicks that select text. */
export function isPlainRowClick(event: MouseEvent<HTMLElement>): boolean {
  const target = event.target as Element
  const isOnControl = target.closest('a, button, input, label, [role="switch"]') !== null
  const isSelectingText = (window.getSelection()?.toString() ?? '') !== ''
  return !isOnControl && !isSelectingText && event.currentTarget.contains(target)
}

/** The content of a cell: a text as one that can be cut. */
export function cellContent<Row>(column: Column<Row>, row: Row): ReactNode {
  const content = column.cell(row)
  return typeof content === 'string' ? <Truncated text={content} /> : content
}
