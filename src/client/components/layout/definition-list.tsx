import type { ReactNode } from 'react'

import classes from './definition-list.module.css'

export interface Definition {
  term: string
  value: ReactNode
}

/** Terms and values side by side, each term in small print above its value. */
export function DefinitionList({ items }: { items: Definition[] }) {
  return (
    <dl className={classes.list}>
      {items.map(({ term, value }) => (
        <div key={term} className={classes.item}>
          <dt>{term}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
