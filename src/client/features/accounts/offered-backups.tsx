import { useId } from 'react'

import { SENT_BACKUP } from '../../../shared/constants'
import { formatFileSize } from '../../../shared/format'
import type { OfferedBackup } from '../../../shared/schemas/setup'
import { formatDateTime } from '../../lib/time-format'

import classes from './offered-backups.module.css'

interface OfferedBackupsProps {
  backups: OfferedBackup[]
  /** The id of the one that is chosen. */
  chosen: string | undefined
  onChoose: (id: string) => void
}

/** A choice among backups, newest first; those that cannot be restored say why. */
export function OfferedBackups({ backups, chosen, onChoose }: OfferedBackupsProps) {
  const group = useId()
  return (
    <div className={classes.list} role="radiogroup" aria-label="Backup">
      {backups.map((backup) => {
        const { id, createdAt, sizeBytes, productVersion } = backup
        const refusal = describeRefusal(backup)
        const name = `${formatDateTime(createdAt)}${id === SENT_BACKUP ? ' (sent)' : ''}`
        return (
          <label key={id} className={classes.tile} data-refused={refusal ? true : undefined}>
            <input
              type="radio"
              className={classes.input}
              name={group}
              disabled={refusal !== undefined}
              aria-label={name}
              aria-describedby={`${group}-${id}`}
              checked={id === chosen}
              onChange={() => onChoose(id)}
            />
            <span className={classes.texts}>
              <span className={classes.name}>{name}</span>
              <span className={classes.note} id={`${group}-${id}`}>
                {refusal ??
                  `${formatFileSize(sizeBytes, 1)} · version ${productVersion}${describeSignature(backup)}`}
              </span>
            </span>
          </label>
        )
      })}
    </div>
  )
}

function describeRefusal({ isNewer, signature, productVersion }: OfferedBackup) {
  if (signature === 'contradicted') return 'Was changed after it was made, and cannot be used'
  return isNewer ? `Needs version ${productVersion} of the product` : undefined
}

const describeSignature = ({ signature }: OfferedBackup) =>
  signature === 'valid' ? '' : ' · signature not checked'
