import { Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { MouseEvent, ReactNode } from 'react'

import { SortHeader } from './sort-header'

import classes from './data-table.module.css'

export interface Column<Row> {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** Makes the header a sort button. */
  isSortable?: boolean
  align?: 'left' | 'right'
  width?: number | string
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string
  /** The first column identifies the row; it is the title of its card on phones. */
  columns: Column<Row>[]
  /** undefined while loading. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string | number
  sort?: string | undefined
  onSort?: (sort: string | undefined) => void
  onRowClick?: (row: Row) => void
  /** Shown under a row, over its full width. */
  renderDetail?: (row: Row) => ReactNode
}

/** A table; a list of cards below 480 px. The caller shows empty and error states. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isPhone = useMediaQuery('(max-width: 30em)', false, { getInitialValueInEffect: false })
  return isPhone ? <CardList {...props} /> : <WideTable {...props} />
}

/** Excludes clicks on links and controls inside the row, and clicks that select text. */
function isPlainRowClick(event: MouseEvent<HTMLElement>): boolean {
  const target = event.target as Element
  const isOnControl = target.closest('a, button, input, label, [role="switch"]') !== null
  const isSelectingText = (window.getSelection()?.toString() ?? '') !== ''
  return !isOnControl && !isSelectingText && event.currentTarget.contains(target)
}

function WideTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows } = props
  return (
    <div className={classes.scroller}>
      <table className={classes.table} aria-label={props.label} aria-busy={rows === undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHeader key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        {rows === undefined ? (
          <SkeletonRows columnCount={columns.length} />
        ) : (
          rows.map((row) => <RowGroup key={props.rowKey(row)} row={row} {...props} />)
        )}
      </table>
    </div>
  )
}

function RowGroup<Row>({
  row,
  columns,
  onRowClick,
  renderDetail,
}: DataTableProps<Row> & { row: Row }) {
  const detailContent = renderDetail?.(row)
  return (
    <tbody>
      <tr
        className={classes.row}
        data-clickable={onRowClick ? true : undefined}
        data-with-detail={detailContent ? true : undefined}
        onClick={onRowClick && ((event) => isPlainRowClick(event) && onRowClick(row))}
      >
        {columns.map((column) => (
          <td
            key={column.id}
            data-align={column.align}
            data-figures={column.align === 'right' || undefined}
          >
            {column.cell(row)}
          </td>
        ))}
      </tr>
      {detailContent && (
        <tr>
          <td colSpan={columns.length} className={classes.detail}>
            {detailContent}
          </td>
        </tr>
      )}
    </tbody>
  )
}

function SkeletonRows({ columnCount }: { columnCount: number }) {
  return (
    <tbody>
      {['a', 'b', 'c'].map((key) => (
        <tr key={key} className={classes.row}>
          {Array.from({ length: columnCount }, (_, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- skeletons have no identity
            <td key={index}>
              <Skeleton height={12} width={index === 0 ? '70%' : '50%'} my={5} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

function CardList<Row>({
  label,
  columns,
  rows,
  rowKey,
  onRowClick,
  renderDetail,
}: DataTableProps<Row>) {
  if (rows === undefined) {
    return (
      <output className={classes.cards} aria-busy="true" aria-label={label}>
        <Skeleton height={120} my="md" mx="auto" width="92%" />
        <Skeleton height={120} my="md" mx="auto" width="92%" />
      </output>
    )
  }
  const [title, ...fields] = columns
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the card holds a real link
        <li
          key={rowKey(row)}
          className={classes.card}
          onClick={onRowClick && ((event) => isPlainRowClick(event) && onRowClick(row))}
        >
          <div className={classes.cardTitle}>{title?.cell(row)}</div>
          <dl className={classes.fields}>
            {fields.map((column) => (
              <div key={column.id} className={classes.field}>
                <dt>{column.header}</dt>
                <dd>{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
          {renderDetail && <div className={classes.cardDetail}>{renderDetail(row)}</div>}
        </li>
      ))}
    </ul>
  )
}
