import { useRef } from 'react'

import { useClientWidth } from '../../lib/use-client-width'
import { CardList } from './card-list'
import { actionsWidth } from './row-actions'
import { SelectAll, SelectRow } from './row-selection'
import { SkeletonRows } from './skeleton-rows'
import { SortHeader } from './sort-header'
import { cellContent, isPlainRowClick } from './table-cells'
import type { Column, TableProps } from './table-column'

import classes from './data-table.module.css'

const MIN_COLUMN_PX = 140

/** A table; cards where its columns do not fit. The caller shows empty and error states. */
export function DataTable<Row>(props: TableProps<Row>) {
  const frame = useRef<HTMLDivElement>(null)
  const widthPx = useClientWidth(frame)
  const isCards = widthPx < minWidthOf(props.columns)
  return (
    <div ref={frame}>
      {/* Measured before the first paint; until then neither is rendered. */}
      {widthPx > 0 && (isCards ? <CardList {...props} /> : <Table {...props} widthPx={widthPx} />)}
    </div>
  )
}

/** Width in px below which the columns of a table do not fit. */
const minWidthOf = <Row,>(columns: Column<Row>[]) =>
  columns.reduce((sum, column) => sum + (widthOf(column) ?? minimumOf(column)), 0)

/** Width of a column in px; undefined: a share of the rest of the table. */
const widthOf = <Row,>({ width, actionCount }: Column<Row>) =>
  actionCount === undefined ? width : actionsWidth(actionCount)

/** Minimum width of a column without a width, in px. */
const minimumOf = <Row,>({ minWidth }: Column<Row>) => minWidth ?? MIN_COLUMN_PX

/** What the columns without a width share evenly, in px; those whose minimum is more get that. */
function evenShare<Row>(columns: Column<Row>[], widthPx: number): number {
  const flexible = columns.filter((column) => widthOf(column) === undefined)
  const fixedPx = columns.reduce((sum, column) => sum + (widthOf(column) ?? 0), 0)
  let restPx = widthPx - fixedPx
  let count = flexible.length
  for (const minimumPx of flexible.map(minimumOf).toSorted((a, b) => b - a)) {
    if (minimumPx <= restPx / count) break
    restPx -= minimumPx
    count -= 1
  }
  return restPx / count
}

function Table<Row>(props: TableProps<Row> & { widthPx: number }) {
  const { columns, rows, selection } = props
  const sharePx = evenShare(columns, props.widthPx)
  const aboveShare = (minimumPx: number) => (minimumPx > sharePx ? minimumPx : undefined)
  return (
    <table className={classes.table} aria-label={props.label} aria-busy={rows === undefined}>
      <colgroup>
        {columns.map((column) => (
          <col
            key={column.id}
            style={{ width: widthOf(column) ?? aboveShare(minimumOf(column)) }}
          />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <SortHeader key={column.id} column={column} sort={props.sort} onSort={props.onSort}>
              {index === 0 && selection && (
                <SelectAll selection={selection} keys={rows?.map(props.rowKey) ?? []} />
              )}
            </SortHeader>
          ))}
        </tr>
      </thead>
      {rows === undefined ? (
        <SkeletonRows columnCount={columns.length} />
      ) : (
        rows.map((row) => <RowGroup key={props.rowKey(row)} row={row} {...props} />)
      )}
    </table>
  )
}

function RowGroup<Row>(props: TableProps<Row> & { row: Row }) {
  const { row, columns, onRowClick, selection, renderDetail } = props
  const detailContent = renderDetail?.(row)
  return (
    <tbody>
      <tr
        className={classes.row}
        data-clickable={onRowClick ? true : undefined}
        onClick={onRowClick && ((event) => isPlainRowClick(event) && onRowClick(row))}
      >
        {columns.map((column, index) => (
          <td
            key={column.id}
            data-align={column.align}
            data-figures={column.align === 'right' || undefined}
            data-actions={column.actionCount === undefined ? undefined : true}
          >
            {index === 0 && selection ? (
              <SelectRow selection={selection} row={row} rowKey={props.rowKey(row)}>
                {cellContent(column, row)}
              </SelectRow>
            ) : (
              cellContent(column, row)
            )}
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
