import type { ReactNode } from 'react'

import type { SftpServer } from '../../../shared/schemas/sftp-login'

import classes from './sftp-login.module.css'

type Shown = SftpServer['hostKeys'][number] & { comment?: string }

interface FingerprintsProps<Key extends Shown> {
  keys: Key[]
  label?: string
  /** What can be done with one. */
  renderAction?: (key: Key) => ReactNode
}

/** Keys by their fingerprints, as programs of SSH show them. */
export function Fingerprints<Key extends Shown>({
  keys,
  label,
  renderAction,
}: FingerprintsProps<Key>) {
  return (
    <ul className={classes.keys} aria-label={label}>
      {keys.map((key) => (
        <li key={key.fingerprint} className={classes.key}>
          <div className={classes.keyText}>
            <span className={classes.note}>
              {key.comment && <strong className={classes.comment}>{key.comment}</strong>} {key.type}
            </span>
            <code className={classes.fingerprint}>{key.fingerprint}</code>
          </div>
          {renderAction?.(key)}
        </li>
      ))}
    </ul>
  )
}
