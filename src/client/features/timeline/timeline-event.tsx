import { Button, Text, Tooltip } from '@mantine/core'
import { useState } from 'react'

import { tellAuditEntry } from '../../../shared/audit-actions'
import { formatCountOf, formatDuration, formatFileSize } from '../../../shared/format'
import type { AuditEntry } from '../../../shared/schemas/audit'
import type { TimelineItem } from '../../../shared/schemas/timeline'
import { ExactTime } from '../../components/feedback/exact-time'
import { JoinNote, SourceNote, UpdateNote } from '../../components/feedback/source-note'
import type { StatusTone } from '../../components/feedback/status-badge'
import { describeOutcome } from '../../components/feedback/sync-outcome'
import { ChangeList } from '../../components/layout/change-list'
import { TextLink } from '../../components/layout/links'
import { formatClockTime, formatDateTime } from '../../lib/time-format'

import classes from './timeline.module.css'

type ItemOf<Kind extends TimelineItem['kind']> = Extract<TimelineItem, { kind: Kind }>

interface TimelineEventProps {
  item: TimelineItem
  /** The connection whose files can be compared; null: they cannot. */
  compareIn: number | null
  /** The file whose reasons the page tells elsewhere. */
  toldFile: string | undefined
  isPhone: boolean
}

/** One line of the timeline. */
export function TimelineEvent({ item, compareIn, toldFile, isPhone }: TimelineEventProps) {
  const isTold = item.kind === 'sync' && item.fileName !== null && item.fileName === toldFile
  return (
    <li className={classes.event} data-tone={toneOf(item)}>
      <span className={classes.dot} aria-hidden="true" />
      <div className={classes.text}>
        {item.kind === 'sync' && (
          <Sync
            item={isTold ? { ...item, reason: null } : item}
            compareIn={compareIn}
            isPhone={isPhone}
          />
        )}
        {item.kind === 'checks' && <Checks item={item} />}
        {item.kind === 'change' && <Change item={item} />}
      </div>
      <span className={classes.time}>
        <ClockTime instant={item.at} />
      </span>
    </li>
  )
}

function toneOf(item: TimelineItem): StatusTone | 'person' {
  if (item.kind === 'change') return 'person'
  return item.kind === 'sync' ? describeOutcome(item.outcome).tone : 'neutral'
}

function Sync({
  item,
  compareIn,
  isPhone,
}: Omit<TimelineEventProps, 'toldFile'> & { item: ItemOf<'sync'> }) {
  const { outcome, rows, bytes, durationMs, reason, begun, fileName } = item
  const [isOpen, setOpen] = useState(false)
  // On phones a line has two lines: the reason, with the rest on request, or where the file came from.
  const showsNotes = !isPhone || reason === null || isOpen
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
      {reason !== null &&
        (isPhone ? (
          <button
            type="button"
            className={classes.note}
            data-prints
            data-short={!isOpen || undefined}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {reason}
          </button>
        ) : (
          <div className={classes.note}>{reason}</div>
        ))}
      {showsNotes && (
        <div className={classes.notes}>
          {begun && <Beginning entry={begun} />}
          <UpdateNote update={item.update} />
          <JoinNote joined={item.joined} />
          <SourceNote source={item.source} />
          {fileName !== null && compareIn !== null && (
            <TextLink
              to="/supplier/connections/$connectionId/comparison"
              params={{ connectionId: String(compareIn) }}
              search={{ to: fileName }}
              aria-label={`Compare the file of ${formatDateTime(item.at)}`}
              fz="sm"
            >
              Compare
            </TextLink>
          )}
        </div>
      )}
    </>
  )
}

/** Who began a sync. */
function Beginning({ entry }: { entry: AuditEntry }) {
  const { who } = tellAuditEntry(entry)
  return (
    <span>
      {entry.action === 'connection.sync' ? 'Started' : 'Sent'} by <bdi>{who}</bdi>
    </span>
  )
}

function ClockTime({ instant }: { instant: string }) {
  return (
    <Tooltip label={<ExactTime instant={instant} />}>
      <time dateTime={instant}>{formatClockTime(Date.parse(instant))}</time>
    </Tooltip>
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
