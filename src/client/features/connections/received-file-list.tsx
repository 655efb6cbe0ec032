import { VisuallyHidden } from '@mantine/core'

import { WAY_LABELS } from '../../../shared/file-source'
import { formatCountOf, formatFileSize } from '../../../shared/format'
import type { ReceivedFile } from '../../../shared/schemas/received-file'
import { StatusBadge, type StatusTone } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'

import classes from './received-files.module.css'

const STATES: Record<ReceivedFile['state'], { word: string; tone: StatusTone }> = {
  waiting: { word: 'Waiting', tone: 'busy' },
  reading: { word: 'Reading', tone: 'busy' },
  published: { word: 'Published', tone: 'good' },
  unchanged: { word: 'Unchanged', tone: 'neutral' },
  held: { word: 'Held', tone: 'warn' },
  refused: { word: 'Refused', tone: 'bad' },
  skipped: { word: 'Skipped', tone: 'neutral' },
}

/** The last files that were sent, and what became of each; that of the newest is announced. */
export function ReceivedFileList({ files }: { files: ReceivedFile[] }) {
  const [newest] = files
  return (
    <div>
      <VisuallyHidden component="output">
        {newest && `The newest file: ${STATES[newest.state].word.toLowerCase()}`}
      </VisuallyHidden>
      <ul className={classes.files} aria-label="Files that were sent">
        {files.map((file) => (
          <li key={file.id} className={classes.file}>
            <div className={classes.line}>
              <bdi className={classes.name}>{file.fileName}</bdi>
              <StatusBadge tone={STATES[file.state].tone}>{STATES[file.state].word}</StatusBadge>
            </div>
            <div className={classes.note}>
              <TimeAgo instant={file.receivedAt} /> · {describe(file)}
            </div>
            {file.message && <p className={classes.message}>{file.message}</p>}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** `1.2 MB · 1,204 rows · by summit`. */
function describe({ sizeBytes, rows, receivedBy, linkEnd, way, sender }: ReceivedFile): string {
  return [
    formatFileSize(sizeBytes, 1),
    rows !== null && formatCountOf(rows, 'row'),
    receivedBy !== null && `by ${receivedBy}`,
    // On one line: the joiner has no width.
    linkEnd !== null && `by the upload link …\u2060${linkEnd}`,
    way !== null && [`by ${WAY_LABELS[way]}`, sender].filter(Boolean).join(', '),
  ]
    .filter((fact) => fact !== false)
    .join(' · ')
}
