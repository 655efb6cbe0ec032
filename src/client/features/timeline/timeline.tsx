import { IconFilterOff, IconHistory } from '@tabler/icons-react'
import { useState } from 'react'

import type { TimelineKind } from '../../../shared/constants'
import type { TimelineItem } from '../../../shared/schemas/timeline'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { PageSpinner } from '../../components/feedback/page-spinner'
import { PendingButton } from '../../components/feedback/pending-button'
import { Panel } from '../../components/layout/panel'
import { ChoiceChips } from '../../components/table/choice-chips'
import { formatDay } from '../../lib/time-format'
import { useIsPhone } from '../../lib/use-is-phone'
import { useNow } from '../../lib/use-now'
import { trpc } from '../../trpc'
import { TimelineEvent } from './timeline-event'

import classes from './timeline.module.css'

const KINDS: { value: TimelineKind | undefined; label: string }[] = [
  { value: undefined, label: 'All' },
  { value: 'files', label: 'Files' },
  { value: 'failures', label: 'Failures' },
  { value: 'people', label: 'What people did' },
]

interface TimelineProps {
  connectionId: number
  /** Whether the files can be compared, which only their supplier's pages can. */
  canCompare?: boolean
  /** The file whose reasons this page tells elsewhere. */
  toldFile?: string | undefined
}

/** What happened to a connection: its syncs, and what people did, newest first, by days. */
export function Timeline({ connectionId, canCompare = false, toldFile }: TimelineProps) {
  const [kind, setKind] = useState<TimelineKind>()
  const list = trpc.timeline.page.useInfiniteQuery(
    { id: connectionId, kind },
    {
      getNextPageParam: ({ next }) => next,
      // Changes of settings are made elsewhere: each visit reads them again.
      gcTime: 0,
    },
  )
  const items = list.data?.pages.flatMap((page) => page.items)
  return (
    <Panel
      title="Timeline"
      description="What happened to this connection, newest first"
      footer={
        list.hasNextPage && (
          <PendingButton
            variant="default"
            size="xs"
            isPending={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Show older
          </PendingButton>
        )
      }
    >
      {(items?.length !== 0 || kind !== undefined) && (
        <div className={classes.filter}>
          <ChoiceChips label="Kind of event" choices={KINDS} chosen={kind} onChoose={setKind} />
        </div>
      )}
      {list.isError && !items ? (
        <LoadError isCompact title="The timeline could not be loaded" query={list} />
      ) : !items ? (
        <PageSpinner />
      ) : items.length === 0 ? (
        <NoEvents kind={kind} />
      ) : (
        <Days items={items} compareIn={canCompare ? connectionId : null} toldFile={toldFile} />
      )}
    </Panel>
  )
}

const NoEvents = ({ kind }: { kind: TimelineKind | undefined }) =>
  kind === undefined ? (
    <EmptyState isCompact icon={IconHistory} title="Nothing yet">
      Each sync and each change of the settings is told here.
    </EmptyState>
  ) : (
    <EmptyState isCompact icon={IconFilterOff} title="Nothing of this kind">
      {kind === 'failures' ? 'No sync has failed.' : 'Other events are under “All”.'}
    </EmptyState>
  )

interface DaysProps {
  items: TimelineItem[]
  /** The connection whose files can be compared; null: they cannot. */
  compareIn: number | null
  toldFile: string | undefined
}

function Days({ items, ...props }: DaysProps) {
  const nowMs = useNow()
  // Asked once for all events, as lists do for their rows.
  const isPhone = useIsPhone()
  return (
    <ol className={classes.days} aria-label="Timeline">
      {groupByDay(items, nowMs).map(({ day, events }) => (
        <li key={day}>
          <h3 className={classes.day}>{day}</h3>
          <ol className={classes.timeline} aria-label={day}>
            {events.map((item) => (
              <TimelineEvent
                key={`${item.kind} ${item.id}`}
                item={item}
                isPhone={isPhone}
                {...props}
              />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  )
}

function groupByDay(items: TimelineItem[], nowMs: number) {
  const days: { day: string; events: TimelineItem[] }[] = []
  for (const item of items) {
    const day = formatDay(item.at, nowMs)
    const last = days.at(-1)
    if (last?.day === day) last.events.push(item)
    else days.push({ day, events: [item] })
  }
  return days
}
