import { useRef } from 'react'

import { NarrowRowsContext, useHasNarrowRows } from '../../lib/narrow-rows'
import { useWidthFrom } from '../../lib/use-client-width'
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
  const widthPx = useWidthFrom(frame, minWidthOf(props.columns))
  const hasNarrowRows = useHasNarrowRows()
  return (
    <div ref={frame}>
      <NarrowRowsContext value={hasNarrowRows}>
        {/* Measured before the first paint; until then neither is rendered. */}
        {widthPx === 0 && <CardList {...props} />}
        {widthPx !== undefined && widthPx > 0 && <Table {...props} widthPx={widthPx} />}
      </NarrowRowsContext>
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

/** The first column, which names the row, gets this much more of the rest than another one. */
const NAME_SHARE = 1.6

/** The width of each column in px: those without one share the rest, and none gets less than its minimum. */
export function shareWidth<Row>(columns: Column<Row>[], widthPx: number): number[] {
  const widths = columns.map(widthOf)
  const shareOf = (place: number) => (place === 0 ? NAME_SHARE : 1)
  for (;;) {
    const open = columns.flatMap((_, place) => (widths[place] === undefined ? [place] : []))
    const restPx = widthPx - widths.reduce<number>((sum, width) => sum + (width ?? 0), 0)
    const unitPx = restPx / open.reduce((sum, place) => sum + shareOf(place), 0)
    const narrow = open.filter((place) => minimumOf(columns[place]!) > unitPx * shareOf(place))
    if (narrow.length === 0) {
      return columns.map((_, place) => widths[place] ?? unitPx * shareOf(place))
    }
    for (const place of narrow) widths[place] = minimumOf(columns[place]!)
  }
}

function Table<Row>(props: TableProps<Row> & { widthPx: number }) {
  const { columns, rows, selection } = props
  const widths = shareWidth(columns, props.widthPx)
  return (
    <table className={classes.table} aria-label={props.label} aria-busy={rows === undefined}>
      <colgroup>
        {columns.map((column, place) => (
          <col key={column.id} style={{ width: widths[place] }} />
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
