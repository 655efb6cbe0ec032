import { formatCount } from '../../../shared/format'

import classes from './bar-pair.module.css'

type Bar = { name: string; value: number }

interface BarPairProps {
  title: string
  /** By how much the values differ. */
  change: string
  before: Bar
  after: Bar
  note?: string | undefined
}

/** Two values as bars below each other, of which the second one is to be judged. */
export function BarPair({ title, change, before, after, note }: BarPairProps) {
  const longest = Math.max(before.value, after.value, 1)
  return (
    <section className={classes.pair} aria-label={title}>
      <h3 className={classes.title}>
        <span dir="auto">{title}</span> <strong data-figures>{change}</strong>
      </h3>
      <dl className={classes.bars}>
        {[before, after].map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-figures>{formatCount(value)}</dd>
            <span
              className={classes.bar}
              style={{ width: `${(100 * Math.max(0, value)) / longest}%` }}
              aria-hidden="true"
            />
          </div>
        ))}
      </dl>
      {note && <p className={classes.note}>{note}</p>}
    </section>
  )
}
