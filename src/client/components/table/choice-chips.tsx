import type { ReactNode } from 'react'

import classes from './choice-chips.module.css'

interface ChoiceChipsProps<Value extends string> {
  /** What is chosen, for screen readers. */
  label: string
  /** undefined: all. */
  choices: { value: Value | undefined; label: ReactNode; count?: string }[]
  chosen: Value | undefined
  onChoose: (value: Value | undefined) => void
}

/** A few kinds of which a list shows one, or all. */
export function ChoiceChips<Value extends string>(props: ChoiceChipsProps<Value>) {
  const { label: name, choices, chosen, onChoose } = props
  return (
    <fieldset className={classes.chips} aria-label={name}>
      {choices.map(({ value, label, count }) => (
        <button
          key={value ?? ''}
          type="button"
          className={classes.chip}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {label}
          {count !== undefined && (
            <>
              {' '}
              <span data-figures>{count}</span>
            </>
          )}
        </button>
      ))}
    </fieldset>
  )
}
