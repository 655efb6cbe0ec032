import { useId } from 'react'

import { DESTINATION_KINDS, type DestinationKind } from '../../../shared/destinations'
import { KINDS } from './destination-words'
import { KindIcon } from './kind-icon'

import classes from './kind-tiles.module.css'

interface KindTilesProps {
  chosen: DestinationKind | null
  error: boolean
  onChoose: (kind: DestinationKind) => void
}

/** How the file is sent, each way in its tile; arrow keys move in it. */
export function KindTiles({ chosen, error, onChoose }: KindTilesProps) {
  const name = useId()
  return (
    <div>
      <div
        className={classes.tiles}
        role="radiogroup"
        aria-label="How the file is sent"
        aria-describedby={error ? `${name}-error` : undefined}
      >
        {DESTINATION_KINDS.map((kind) => (
          <label key={kind} className={classes.tile}>
            <input
              type="radio"
              className={classes.input}
              name={name}
              aria-describedby={`${name}-${kind}`}
              aria-label={KINDS[kind].name}
              checked={kind === chosen}
              onChange={() => onChoose(kind)}
            />
            <span className={classes.glyph}>
              <KindIcon kind={kind} />
            </span>
            <span className={classes.texts}>
              <span className={classes.name}>{KINDS[kind].name}</span>
              <span className={classes.note} id={`${name}-${kind}`}>
                {KINDS[kind].note}
              </span>
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${name}-error`} className={classes.error}>
          Choose how the file is sent
        </p>
      )}
    </div>
  )
}
