import { Button, Text } from '@mantine/core'
import { useState } from 'react'

import { tellAuditEntry } from '../../../shared/audit-actions'
import { formatCountOf, formatDuration, formatFileSize } from '../../../shared/format'
import type { TimelineItem } from '../../../shared/schemas/timeline'
import { JoinNote, SourceNote, UpdateNote } from '../../components/feedback/source-note'
import type { StatusTone } from '../../components/feedback/status-badge'
import { describeOutcome } from '../../components/feedback/sync-outcome'
import { TimeAgo } from '../../components/feedback/time-ago'
import { ChangeList } from '../../components/layout/change-list'
import { formatDateTime } from '../../lib/time-format'

import classes from './timeline.module.css'

type ItemOf<Kind extends TimelineItem['kind']> = Extract<TimelineItem, { kind: Kind }>

/** One line of the timeline. */
export function TimelineEvent({ item }: { item: TimelineItem }) {
  return (
    <li className={classes.event} data-tone={toneOf(item)}>
      <span className={classes.dot} aria-hidden="true" />
      <div className={classes.text}>
        {item.kind === 'sync' && <Sync item={item} />}
        {item.kind === 'checks' && <Checks item={item} />}
        {item.kind === 'change' && <Change item={item} />}
      </div>
      <span className={classes.time}>
        <TimeAgo instant={item.at} />
      </span>
    </li>
  )
}

function toneOf(item: TimelineItem): StatusTone | 'person' {
  if (item.kind === 'change') return 'person'
  return item.kind === 'sync' ? describeOutcome(item.outcome).tone : 'neutral'
}

function Sync({ item }: { item: ItemOf<'sync'> }) {
  const { outcome, rows, bytes, durationMs, reason, source, update, joined } = item
  const figures = [
    rows !== null && formatCountOf(rows, 'row'),
    bytes !== null && formatFileSize(bytes, 1),
    durationMs !== null && formatDuration(durationMs),
  ].filter(Boolean)
  return (
    <>
      <div>
        <strong>{describeOutcome(outcome).word}</strong>
        <span className={classes.figures} data-figures>
          {figures.join(' · ')}
        </span>
      </div>
      <UpdateNote update={update} />
      <JoinNote joined={joined} />
      <SourceNote source={source} />
      {reason !== null && <div className={classes.note}>{reason}</div>}
    </>
  )
}

function Checks({ item: { count, since } }: { item: ItemOf<'checks'> }) {
  return (
    <Text component="div" c="dimmed">
      {formatCountOf(count, 'check')} without a change
      {count > 1 && <span className={classes.figures}>since {formatDateTime(since)}</span>}
    </Text>
  )
}

function Change({ item: { entry } }: { item: ItemOf<'change'> }) {
  const [isOpen, setOpen] = useState(false)
  const { who, did } = tellAuditEntry(entry)
  const { changes } = entry
  return (
    <>
      <div>
        <strong>
          <bdi>{who}</bdi>
        </strong>{' '}
        <bdi>{did}</bdi>
        {changes.length > 0 && (
          <Button
            variant="subtle"
            size="compact-xs"
            ml={6}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {formatCountOf(changes.length, 'field')}
          </Button>
        )}
      </div>
      {isOpen && <ChangeList changes={changes} />}
    </>
  )
}
