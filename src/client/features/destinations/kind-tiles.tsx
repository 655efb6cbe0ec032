import { useId } from 'react'

import { DESTINATION_KINDS, type DestinationKind } from '../../../shared/destinations'
import { IconTiles } from '../../components/form/icon-tiles'
import { KINDS } from './destination-words'
import { KindIcon } from './kind-icon'

import classes from './kind-tiles.module.css'

interface KindTilesProps {
  chosen: DestinationKind | null
  error: boolean
  onChoose: (kind: DestinationKind) => void
}

const iconOf = (kind: DestinationKind) => <KindIcon kind={kind} />

/** How the file is sent. */
export function KindTiles({ chosen, error, onChoose }: KindTilesProps) {
  const errorId = useId()
  return (
    <div>
      <IconTiles
        label="How the file is sent"
        describedBy={error ? errorId : undefined}
        choices={DESTINATION_KINDS}
        words={KINDS}
        icon={iconOf}
        chosen={chosen}
        onChoose={onChoose}
        columns={5}
      />
      {error && (
        <p id={errorId} className={classes.error}>
          Choose how the file is sent
        </p>
      )}
    </div>
  )
}
