import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './row-selection.module.css'

export type RowKey = string | number

/** Checkboxes in the first cells of a table's rows. */
export interface RowSelection<Row> {
  selected: ReadonlySet<RowKey>
  onChange: (selected: Set<RowKey>) => void
  /** Completes a checkbox's accessible name: `Select Acme`. */
  rowName: (row: Row) => string
}

interface SelectAllProps {
  selection: Pick<RowSelection<never>, 'selected' | 'onChange'>
  /** The rows on screen; other selected rows stay selected. */
  keys: readonly RowKey[]
  /** Visible label. */
  label?: string
}

export function SelectAll({ selection: { selected, onChange }, keys, label }: SelectAllProps) {
  const count = keys.filter((key) => selected.has(key)).length
  const isFull = count > 0 && count === keys.length
  return (
    <Checkbox
      size="xs"
      aria-label="Select all on this page"
      label={label}
      className={classes.all}
      checked={isFull}
      indeterminate={count > 0 && !isFull}
      disabled={keys.length === 0}
      onChange={() => {
        const next = new Set(selected)
        for (const key of keys) {
          if (isFull) next.delete(key)
          else next.add(key)
        }
        onChange(next)
      }}
    />
  )
}

interface SelectRowProps<Row> {
  selection: RowSelection<Row>
  row: Row
  rowKey: RowKey
  /** The content of the cell. */
  children: ReactNode
}

export function SelectRow<Row>({ selection, row, rowKey, children }: SelectRowProps<Row>) {
  const { selected, onChange, rowName } = selection
  return (
    <div className={classes.cell}>
      <Checkbox
        size="xs"
        aria-label={`Select ${rowName(row)}`}
        checked={selected.has(rowKey)}
        onChange={(event) => {
          const next = new Set(selected)
          if (event.currentTarget.checked) next.add(rowKey)
          else next.delete(rowKey)
          onChange(next)
        }}
      />
      <div className={classes.content}>{children}</div>
    </div>
  )
}
