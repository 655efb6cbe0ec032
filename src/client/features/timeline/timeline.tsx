import { IconHistory } from '@tabler/icons-react'

import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { PageSpinner } from '../../components/feedback/page-spinner'
import { PendingButton } from '../../components/feedback/pending-button'
import { Panel } from '../../components/layout/panel'
import { trpc } from '../../trpc'
import { TimelineEvent } from './timeline-event'

import classes from './timeline.module.css'

/** What happened to a connection: its syncs, and what people did, newest first. */
export function Timeline({ connectionId }: { connectionId: number }) {
  const list = trpc.timeline.page.useInfiniteQuery(
    { id: connectionId },
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
      {list.isError && !items ? (
        <LoadError isCompact title="The timeline could not be loaded" query={list} />
      ) : !items ? (
        <PageSpinner />
      ) : items.length === 0 ? (
        <EmptyState isCompact icon={IconHistory} title="Nothing yet">
          Each sync and each change of the settings is told here.
        </EmptyState>
      ) : (
        <ol className={classes.timeline} aria-label="Timeline">
          {items.map((item) => (
            <TimelineEvent key={`${item.kind} ${item.id}`} item={item} />
          ))}
        </ol>
      )}
    </Panel>
  )
}
