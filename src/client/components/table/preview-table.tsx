/* oxlint-disable react/no-array-index-key -- cells are identified by their position only */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, type RefObject } from 'react'

import { fillWidth, measureColumns } from '../../lib/column-widths'
import { useClientWidth } from '../../lib/use-client-width'
import { ItemLink, type ItemOwner } from '../layout/item-link'
import { type ColumnLook, isNumberColumn, isZero, placeOf } from './column-looks'
import { MarkedText } from './marked-text'

import classes from './preview-table.module.css'

const ROW_HEIGHT_PX = 33
const MIN_NUMBER_COLUMN_PX = 52
const DIGIT_PX = 8
const NUMBER_PADDING_PX = 22
/** As wide as the padding and the margin of a tag. */
const TAG_ROOM = '0000'

interface PreviewTableProps {
  label: string
  columns: string[]
  rows: string[][]
  /** The numbers of the rows; by default they are counted from 1. */
  numbers?: number[]
  /** Height at which the table starts to scroll; without it all rows are rendered. */
  maxHeight?: number | string
  /** Name of the column to highlight in the header, such as the category column. */
  markedColumn?: string | null
  /** What columns are, by their places: shown beside their names. */
  tags?: ReadonlyMap<number, string>
  /** The column of the SKUs, which stays in view while the others are scrolled. */
  skuColumn?: string | null
  /** The column of the quantities, of which those that are 0 stand out. */
  quantityColumn?: string | null
  /** A text that is marked where cells contain it. */
  mark?: string
  /** Whose items the rows are: their SKUs lead to what they were over time. */
  owner?: ItemOwner | undefined
}

/** The rows of a file with sticky header and row numbers; virtualized when `maxHeight` is set. */
export function PreviewTable(props: PreviewTableProps) {
  const { label, columns, rows, numbers, maxHeight, markedColumn, tags } = props
  const scroller = useRef<HTMLElement>(null)
  const digits = String(numbers?.at(-1) ?? rows.length).length
  const numberPx = Math.max(MIN_NUMBER_COLUMN_PX, NUMBER_PADDING_PX + digits * DIGIT_PX)
  const roomPx = useClientWidth(scroller) - numberPx
  const measured = useMemo(() => {
    const heads = columns.map(
      (name, place) => `${name}${tags?.has(place) ? tags.get(place)! + TAG_ROOM : ''}`,
    )
    return measureColumns(heads, rows)
  }, [columns, rows, tags])
  const widths = fillWidth(measured, roomPx)
  const looks = useColumnLooks(props, widths, { numberPx, roomPx })
  const [first, end] = useRenderedRows(rows.length, scroller, maxHeight !== undefined)
  const tableWidth = widths.reduce((sum, width) => sum + width, numberPx)
  return (
    <section
      ref={scroller}
      className={classes.scroller}
      style={{ maxHeight }}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard scrolling needs focus
      tabIndex={0}
      aria-label={label}
    >
      <table
        className={classes.table}
        style={{ width: tableWidth }}
        aria-label={label}
        aria-rowcount={rows.length + 1}
      >
        <colgroup>
          <col style={{ width: numberPx }} />
          {columns.map((name, index) => (
            <col key={`${index}:${name}`} style={{ width: widths[index] }} />
          ))}
        </colgroup>
        <thead>
          <HeaderRow columns={columns} markedColumn={markedColumn} tags={tags} looks={looks} />
        </thead>
        <tbody>
          <Spacer height={first * ROW_HEIGHT_PX} columnCount={columns.length + 1} />
          {rows.slice(first, end).map((cells, offset) => (
            <PreviewRow
              key={first + offset}
              number={numbers?.[first + offset] ?? first + offset + 1}
              place={first + offset + 1}
              columns={columns}
              cells={cells}
              looks={looks}
              mark={props.mark}
              sku={props.owner && { owner: props.owner, place: placeOf(columns, props.skuColumn) }}
            />
          ))}
          <Spacer height={(rows.length - end) * ROW_HEIGHT_PX} columnCount={columns.length + 1} />
        </tbody>
      </table>
    </section>
  )
}

/** A column that takes more of the width is not pinned: the others would have no room. */
const MAX_PINNED_SHARE = 0.55

function useColumnLooks(
  { columns, rows, skuColumn, quantityColumn }: PreviewTableProps,
  widths: readonly number[],
  { numberPx, roomPx }: { numberPx: number; roomPx: number },
): ColumnLook[] {
  const numeric = useMemo(
    () => columns.map((_, place) => isNumberColumn(rows, place)),
    [columns, rows],
  )
  const [sku, quantity] = [placeOf(columns, skuColumn), placeOf(columns, quantityColumn)]
  return columns.map((_, place) => ({
    isNumber: numeric[place] === true && place !== sku,
    pinnedPx:
      place === sku && (widths[place] ?? 0) <= roomPx * MAX_PINNED_SHARE ? numberPx : undefined,
    isQuantity: place === quantity,
  }))
}

/** The first row to render, and the one after the last: all of them, or those near the part in view. */
function useRenderedRows(
  count: number,
  scroller: RefObject<HTMLElement | null>,
  isVirtual: boolean,
): [first: number, end: number] {
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 12,
    initialRect: { width: 1024, height: 640 },
    enabled: isVirtual,
  })
  if (!isVirtual) return [0, count]
  const items = virtualizer.getVirtualItems()
  return [items[0]?.index ?? 0, (items.at(-1)?.index ?? -1) + 1]
}

function HeaderRow({
  columns,
  markedColumn,
  tags,
  looks,
}: Pick<PreviewTableProps, 'columns' | 'markedColumn' | 'tags'> & { looks: ColumnLook[] }) {
  return (
    <tr aria-rowindex={1}>
      <th scope="col" className={classes.number}>
        <span aria-label="Row">#</span>
      </th>
      {columns.map((name, index) => (
        <th
          key={`${index}:${name}`}
          scope="col"
          dir="auto"
          title={name}
          data-marked={name === markedColumn || undefined}
          {...toCellProps(looks[index])}
        >
          {name || <span className={classes.unnamed}>Column {index + 1}</span>}
          {tags?.has(index) && (
            <>
              {' '}
              <span className={classes.tag}>{tags.get(index)}</span>
            </>
          )}
        </th>
      ))}
    </tr>
  )
}

interface PreviewRowProps {
  number: number
  /** Its position in this table, from 1. */
  place: number
  columns: string[]
  cells: string[]
  looks: ColumnLook[]
  mark: string | undefined
  /** The place of the SKU that leads to its item. */
  sku: { owner: ItemOwner; place: number } | undefined
}

/** What a cell has of the look of its column. */
const toCellProps = (look: ColumnLook | undefined) => ({
  'data-number': look?.isNumber || undefined,
  ...(look?.pinnedPx !== undefined && { 'data-pinned': true, style: { left: look.pinnedPx } }),
})

function PreviewRow(props: PreviewRowProps) {
  return (
    <tr aria-rowindex={props.place + 1}>
      <th scope="row" className={classes.number}>
        {props.number}
      </th>
      {props.columns.map((name, index) => {
        const [cell, look] = [props.cells[index] ?? '', props.looks[index]]
        const content = props.mark ? <MarkedText text={cell} mark={props.mark} /> : cell
        return (
          <td
            key={`${index}:${name}`}
            dir="auto"
            title={cell}
            {...toCellProps(look)}
            data-zero={(look?.isQuantity && isZero(cell)) || undefined}
          >
            {props.sku?.place === index ? (
              <ItemLink owner={props.sku.owner} sku={cell}>
                {content}
              </ItemLink>
            ) : (
              content
            )}
          </td>
        )
      })}
    </tr>
  )
}

/** Takes the height of the rows that are not rendered. */
function Spacer({ height, columnCount }: { height: number; columnCount: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden="true">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- empty spacer */}
      <td colSpan={columnCount} style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}
