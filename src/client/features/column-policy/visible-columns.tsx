import { Switch } from '@mantine/core'

import { foldName } from '../../../shared/categories'
import { formatCountOf } from '../../../shared/format'
import type { ColumnSettings } from '../../../shared/schemas/column-policy'

import classes from './column-policy.module.css'

interface VisibleColumnsProps {
  columns: ColumnSettings['columns']
  columnCount: number
  hidden: string[]
  onChange: (hidden: string[]) => void
}

/** A switch for each column: whether retailers see it. Columns that are gone stay hidden. */
export function VisibleColumns({ columns, columnCount, hidden, onChange }: VisibleColumnsProps) {
  const samples = new Map(columns.map(({ name, sample }) => [name, sample]))
  const isHidden = (name: string) => hidden.some((other) => foldName(other) === foldName(name))
  const gone = hidden.filter(
    (name) => !columns.some((column) => foldName(column.name) === foldName(name)),
  )
  const toggle = (name: string, isVisible: boolean) => {
    const others = hidden.filter((other) => foldName(other) !== foldName(name))
    onChange(isVisible ? others : [...others, name])
  }
  const names = [...samples.keys(), ...gone].filter((name) => name !== '')
  const more = columnCount - columns.length
  return (
    <fieldset className={classes.group}>
      <legend className={classes.title}>Retailers see</legend>
      <p className={classes.note}>
        A hidden column is in no file, preview or search of any retailer, from its next read on.
        Rows are still selected by a hidden category column.
      </p>
      <div className={classes.list}>
        {names.map((name) => (
          <Switch
            key={name}
            classNames={{ body: classes.row, labelWrapper: classes.label, label: classes.text }}
            label={
              <>
                <bdi>{name}</bdi>
                <span className={classes.sample} dir="auto">
                  {samples.get(name) ?? 'Not in the file'}
                </span>
              </>
            }
            checked={!isHidden(name)}
            onChange={(event) => toggle(name, event.currentTarget.checked)}
          />
        ))}
      </div>
      {more > 0 && (
        <p className={classes.note}>and {formatCountOf(more, 'more column')}, which they see</p>
      )}
    </fieldset>
  )
}
