import { Button, CloseButton } from '@mantine/core'
import { useId } from 'react'

import { formatCount } from '../../../shared/format'

import classes from './visibility-fields.module.css'

const MAX_SHOWN = 20

interface ChosenCategoriesProps {
  title: string
  categories: string[]
  onChange: (categories: string[]) => void
  /** Shown after each name. */
  note?: string
}

/** Chosen categories that are not in the tree, each with a Remove button. */
export function ChosenCategories({ title, categories, onChange, note }: ChosenCategoriesProps) {
  const titleId = useId()
  if (categories.length === 0) return null
  const hiddenCount = categories.length - MAX_SHOWN
  return (
    <section aria-labelledby={titleId}>
      <div className={classes.chosenHead}>
        <h3 id={titleId} className={classes.title}>
          {title}
        </h3>
        {categories.length > 1 && (
          <Button variant="subtle" size="compact-xs" onClick={() => onChange([])}>
            Remove all {formatCount(categories.length)}
          </Button>
        )}
      </div>
      <ul className={classes.chosen}>
        {categories.slice(0, MAX_SHOWN).map((category) => (
          <li key={category}>
            <span dir="auto" className={classes.chosenName}>
              {category}
            </span>
            {note && <span className={classes.chosenNote}>{note}</span>}
            <CloseButton
              size="sm"
              aria-label={`Remove ${category}`}
              onClick={() => onChange(categories.filter((other) => other !== category))}
            />
          </li>
        ))}
        {hiddenCount > 0 && (
          <li className={classes.chosenNote}>and {formatCount(hiddenCount)} more</li>
        )}
      </ul>
    </section>
  )
}
