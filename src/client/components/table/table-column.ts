import type { ReactNode } from 'react'

import type { RowSelection } from './row-selection'

export interface Column<Row> {
  id: string
  header: string
  /** Text is cut where it does not fit; other content that may be long belongs in a `Truncated`. */
  cell: (row: Row) => ReactNode
  /** Makes the header a sort button. */
  isSortable?: boolean
  align?: 'left' | 'right'
  /** In px, with the padding. Columns without a width share the rest of the table, down to their minimum; the first gets more. */
  width?: number
  /** Minimum width of a column without a `width`, in px. */
  minWidth?: number
  /** Number of the row's buttons, for the column that has them. In a card they are in its title line. */
  actionCount?: number
}

export interface TableProps<Row> {
  /** Accessible name of the table. */
  label: string
  /** The first column identifies the row; it is the title of its card. */
  columns: Column<Row>[]
  /** undefined while loading. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string | number
  sort?: string | undefined
  onSort?: (sort: string | undefined) => void
  onRowClick?: (row: Row) => void
  /** Makes rows selectable, by their keys. */
  selection?: RowSelection<Row>
  /** Shown under a row, over its full width. */
  renderDetail?: (row: Row) => ReactNode
}
