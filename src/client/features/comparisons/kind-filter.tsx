import type { ChangeKind } from '../../../shared/constants'
import { formatCount } from '../../../shared/format'
import type { ChangeSection } from '../../../shared/schemas/comparison'
import { CHANGE_WORDS } from './change-words'

import classes from './changed-items.module.css'

interface KindFilterProps {
  sections: ChangeSection[]
  kind: ChangeKind | undefined
  onChoose: (kind: ChangeKind | undefined) => void
}

/** Chooses one kind of change, each with its count. */
export function KindFilter({ sections, kind, onChoose }: KindFilterProps) {
  return (
    <fieldset className={classes.filter} aria-label="Kind of change">
      <button
        type="button"
        className={classes.choice}
        aria-pressed={kind === undefined}
        onClick={() => onChoose(undefined)}
      >
        All
      </button>
      {sections
        .filter((section) => section.count > 0 || section.kind === kind)
        .map((section) => (
          <button
            key={section.kind}
            type="button"
            className={classes.choice}
            aria-pressed={section.kind === kind}
            onClick={() => onChoose(section.kind)}
          >
            {CHANGE_WORDS[section.kind].word} <span data-figures>{formatCount(section.count)}</span>
          </button>
        ))}
    </fieldset>
  )
}
