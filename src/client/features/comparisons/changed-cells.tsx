import { VisuallyHidden } from '@mantine/core'

import type { ChangedItem } from '../../../shared/schemas/comparison'
import { markWords } from './mark-words'

import classes from './changed-items.module.css'

type Cell = ChangedItem['cells'][number]

/** A cell before, with the words marked that are no longer there. */
export function BeforeCell({ before, after }: Pick<Cell, 'before' | 'after'>) {
  if (before === null || before === '') return <Nothing />
  const parts = markWords(before, after ?? '')
  return (
    <span dir="auto">
      {parts.start}
      {parts.before && <del className={classes.before}>{parts.before}</del>}
      {parts.end}
    </span>
  )
}

/** A cell after, with the words marked that are new. */
export function AfterCell({ before, after }: Pick<Cell, 'before' | 'after'>) {
  if (after === null || after === '') return <Nothing />
  const parts = markWords(before ?? '', after)
  return (
    <span dir="auto">
      {parts.start}
      {parts.after && <ins className={classes.after}>{parts.after}</ins>}
      {parts.end}
    </span>
  )
}

const Nothing = () => (
  <span className={classes.nothing}>
    <span aria-hidden="true">–</span>
    <VisuallyHidden>empty</VisuallyHidden>
  </span>
)
