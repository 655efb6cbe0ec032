import { useId, type ReactNode } from 'react'

import classes from './icon-tiles.module.css'

interface IconTilesProps<Choice extends string> {
  /** What is chosen, for those who do not see the tiles. */
  label: string
  /** The id of what is wrong with the choice. */
  describedBy?: string | undefined
  choices: readonly Choice[]
  words: Readonly<Record<Choice, { name: string; note: string }>>
  icon: (choice: Choice) => ReactNode
  chosen: Choice | null | undefined
  onChoose: (choice: Choice) => void
  /** In a row; two on phones. */
  columns: 4 | 5
  /** Whether icons stand beside the words on wide screens. */
  isWide?: boolean
}

/** A choice among a few things, each in its tile with an icon; arrow keys move in it. */
export function IconTiles<Choice extends string>(props: IconTilesProps<Choice>) {
  const { label, describedBy, choices, words, icon, chosen, onChoose, columns } = props
  const name = useId()
  return (
    <div
      className={classes.tiles}
      data-columns={columns}
      data-wide={props.isWide || undefined}
      role="radiogroup"
      aria-label={label}
      aria-describedby={describedBy}
    >
      {choices.map((choice) => (
        <label key={choice} className={classes.tile}>
          <input
            type="radio"
            className={classes.input}
            name={name}
            aria-describedby={`${name}-${choice}`}
            aria-label={words[choice].name}
            checked={choice === chosen}
            onChange={() => onChoose(choice)}
          />
          <span className={classes.glyph}>{icon(choice)}</span>
          <span className={classes.texts}>
            <span className={classes.name}>{words[choice].name}</span>
            <span className={classes.note} id={`${name}-${choice}`}>
              {words[choice].note}
            </span>
          </span>
        </label>
      ))}
    </div>
  )
}
