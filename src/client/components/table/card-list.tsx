import { NativeSelect, Skeleton } from '@mantine/core'

import { SelectAll, SelectRow } from './row-selection'
import { cellContent, isPlainRowClick } from './table-cells'
import type { Column, TableProps } from './table-column'

import classes from './data-table.module.css'

/**
 * The rows of a table as cards, as many beside each other as fit. The row's buttons are in the title
 * line of its card.
 */
export function CardList<Row>(props: TableProps<Row>) {
  const { label, columns, rows } = props
  if (rows === undefined) {
    return (
      <output className={classes.cards} aria-busy="true" aria-label={label}>
        <Skeleton height={120} m="md" width="auto" />
        <Skeleton height={120} m="md" width="auto" />
      </output>
    )
  }
  const [title, ...others] = columns
  const actions = others.find(({ actionCount }) => actionCount !== undefined)
  const fields = others.filter((column) => column !== actions)
  return (
    <>
      <CardTools {...props} />
      <ul className={classes.cards} aria-label={label}>
        {rows.map((row) => (
          <Card
            key={props.rowKey(row)}
            row={row}
            title={title}
            actions={actions}
            fields={fields}
            {...props}
          />
        ))}
      </ul>
    </>
  )
}

/** What the column headers offer in a table. */
function CardTools<Row>({
  label,
  columns,
  rows,
  rowKey,
  selection,
  sort,
  onSort,
}: TableProps<Row>) {
  const sortable = onSort ? columns.filter(({ isSortable }) => isSortable) : []
  if (!selection && sortable.length === 0) return null
  const options = sortable.flatMap(({ id, header }) => [
    { value: id, label: `${header}, ascending` },
    { value: `-${id}`, label: `${header}, descending` },
  ])
  return (
    <div className={classes.cardTools}>
      {selection && (
        <SelectAll selection={selection} keys={rows?.map(rowKey) ?? []} label="Select all" />
      )}
      {sortable.length > 0 && (
        <NativeSelect
          className={classes.cardSort}
          aria-label={`Sort ${label}`}
          data={[{ value: '', label: 'Sort by …' }, ...options]}
          value={sort ?? ''}
          onChange={(event) => onSort?.(event.currentTarget.value || undefined)}
        />
      )}
    </div>
  )
}

interface CardProps<Row> extends TableProps<Row> {
  row: Row
  title: Column<Row> | undefined
  actions: Column<Row> | undefined
  fields: Column<Row>[]
}

function Card<Row>(props: CardProps<Row>) {
  const { row, title, actions, fields, onRowClick, selection, renderDetail } = props
  const detailContent = renderDetail?.(row)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the card holds a real link
    <li
      className={classes.card}
      data-wraps
      onClick={onRowClick && ((event) => isPlainRowClick(event) && onRowClick(row))}
    >
      <div className={classes.cardHead}>
        <div className={classes.cardTitle}>
          {selection && title ? (
            <SelectRow selection={selection} row={row} rowKey={props.rowKey(row)}>
              {cellContent(title, row)}
            </SelectRow>
          ) : (
            title && cellContent(title, row)
          )}
        </div>
        {actions?.cell(row)}
      </div>
      <dl className={classes.fields}>
        {fields.map((column) => (
          <div key={column.id} className={classes.field}>
            <dt>{column.header}</dt>
            <dd>{cellContent(column, row)}</dd>
          </div>
        ))}
      </dl>
      {detailContent && <div className={classes.cardDetail}>{detailContent}</div>}
    </li>
  )
}
