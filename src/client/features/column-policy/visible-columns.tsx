import { Button, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'

import { foldName } from '../../../shared/categories'
import { COLUMN_NAME_MAX_LENGTH } from '../../../shared/constants'
import { formatCountOf } from '../../../shared/format'
import type { ColumnSettings } from '../../../shared/schemas/column-policy'

import classes from './column-policy.module.css'

interface VisibleColumnsProps {
  columns: ColumnSettings['columns']
  columnCount: number
  hidden: string[]
  onChange: (hidden: string[]) => void
}

/** Columns shown at first, besides hidden ones: the other fields of the dialog stay near. */
const SHOWN = 10

/** A switch for each column: whether retailers see it. Columns that are gone stay hidden. */
export function VisibleColumns({ columns, columnCount, hidden, onChange }: VisibleColumnsProps) {
  const samples = new Map(columns.map(({ name, sample }) => [name, sample]))
  const isHidden = (name: string) => hidden.some((other) => foldName(other) === foldName(name))
  // What was hidden keeps its place when it is shown again, under the pointer and the focus.
  const [hiddenBefore] = useState(hidden)
  const listed = new Map([...hiddenBefore, ...hidden].map((name) => [foldName(name), name]))
  const present = new Set(columns.map(({ name }) => foldName(name)))
  const gone = [...listed].filter(([folded]) => !present.has(folded)).map(([, name]) => name)
  const toggle = (name: string, isVisible: boolean) => {
    const others = hidden.filter((other) => foldName(other) !== foldName(name))
    onChange(isVisible ? others : [...others, name])
  }
  const names = [...samples.keys(), ...gone].filter((name) => name !== '')
  const [isWhole, setWhole] = useState(names.length <= SHOWN + 2)
  const shown = isWhole
    ? names
    : names.filter((name, index) => index < SHOWN || listed.has(foldName(name)))
  const more = columnCount - columns.length
  return (
    <fieldset className={classes.group}>
      <legend className={classes.title}>Retailers see</legend>
      <p className={classes.note}>
        A hidden column is in no file, preview or search of any retailer, from its next read on.
        Rows are still selected by a hidden category column.
      </p>
      <div className={classes.list}>
        {shown.map((name) => (
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
      {!isWhole && (
        <Button variant="subtle" size="xs" onClick={() => setWhole(true)}>
          Show all {formatCountOf(names.length, 'column')}
        </Button>
      )}
      <HideByName onHide={(name) => toggle(name, false)} />
      {more > 0 && (
        <p className={classes.note}>and {formatCountOf(more, 'more column')}, which they see</p>
      )}
    </fieldset>
  )
}

/** Hides a column that is not in the published file yet. */
function HideByName({ onHide }: { onHide: (name: string) => void }) {
  const [name, setName] = useState('')
  const hide = () => {
    if (name.trim() !== '') onHide(name.trim())
    setName('')
  }
  return (
    <div className={classes.byName}>
      <TextInput
        aria-label="Name of another column to hide"
        placeholder="Another column, by its name"
        maxLength={COLUMN_NAME_MAX_LENGTH}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          hide()
        }}
      />
      <Button variant="default" onClick={hide}>
        Hide
      </Button>
    </div>
  )
}
