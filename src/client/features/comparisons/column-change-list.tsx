import { formatCountOf } from '../../../shared/format'
import type { ColumnChanges } from '../../../shared/schemas/comparison'

import classes from './comparison.module.css'

/** Which columns differ: new ones, those that are gone, and those with changed cells. */
export function ColumnChangeList({ columns }: { columns: ColumnChanges }) {
  const { added, removed, changed } = columns
  if (added.length + removed.length + changed.length === 0) return null
  return (
    <section aria-label="Columns">
      <h3 className={classes.heading}>Columns that differ</h3>
      <ul className={classes.columns}>
        {added.map((name) => (
          <ColumnChange key={`added ${name}`} name={name} note="new" />
        ))}
        {removed.map((name) => (
          <ColumnChange key={`removed ${name}`} name={name} note="gone" />
        ))}
        {changed.map(({ name, rows }) => (
          <ColumnChange key={`changed ${name}`} name={name} note={formatCountOf(rows, 'row')} />
        ))}
      </ul>
    </section>
  )
}

function ColumnChange({ name, note }: { name: string; note: string }) {
  return (
    <li>
      <span dir="auto" className={classes.name}>
        {name || 'Without a name'}
      </span>
      <span className={classes.note}>{note}</span>
    </li>
  )
}
