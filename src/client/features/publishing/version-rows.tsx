import type { ReactNode } from 'react'

import { formatCountOf, formatFileSize } from '../../../shared/format'
import type { Version } from '../../../shared/schemas/publishing'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { ComparisonCounts } from './comparison-counts'
import { describeOrigin, VERSION_STATE_WORDS } from './version-states'

import classes from './publishing.module.css'

interface VersionRowsProps {
  versions: Version[]
  renderActions: (version: Version) => ReactNode
}

/** Stored files on phones, in two lines each; a third says who has decided on one. */
export function VersionRows({ versions, renderActions }: VersionRowsProps) {
  return (
    <ul className={classes.rows} aria-label="Files">
      {versions.map((version) => {
        const { id, state, createdAt, isPinned, difference, rowCount, fileSize } = version
        const { word, tone } = VERSION_STATE_WORDS[state]
        return (
          <li key={id}>
            <div className={classes.rowHead}>
              <strong>
                <TimeAgo instant={createdAt} />
              </strong>
              <StatusBadge tone={tone}>{word}</StatusBadge>
              {isPinned && <StatusBadge tone="busy">Pinned</StatusBadge>}
            </div>
            {renderActions(version)}
            <div className={classes.rowFigures} data-figures>
              {difference && <ComparisonCounts difference={difference} />}
              <span>{formatCountOf(rowCount, 'row')}</span>
              <span>{formatFileSize(fileSize, 1)}</span>
            </div>
            {version.publishedBy !== null && (
              <div className={classes.rowNote}>{describeOrigin(version)}</div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
