import { Skeleton } from '@mantine/core'

import { formatCount } from '../../../shared/format'
import type { Overview } from '../../../shared/schemas/operations'
import { LoadError } from '../../components/feedback/message-state'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { DefinitionList } from '../../components/layout/definition-list'
import { Panel } from '../../components/layout/panel'
import { trpc } from '../../trpc'
import { describeWorkers } from './workers'

const DRIVERS: Record<Overview['queue']['driver'], string> = {
  redis: 'Redis',
  database: 'Database, looked at once a second',
}

/** What delivers background work, and who does it. */
export function QueueFacts() {
  const query = trpc.operations.overview.useQuery()
  const overview = query.data
  return (
    <Panel title="Queue and workers">
      {query.isError && !overview ? (
        <LoadError isCompact title="The queue could not be loaded" query={query} />
      ) : overview ? (
        <DefinitionList items={listFacts(overview)} />
      ) : (
        <Skeleton height={40} />
      )}
    </Panel>
  )
}

function listFacts(overview: Overview) {
  const { queue, workers } = overview
  return [
    { term: 'Queue', value: DRIVERS[queue.driver] },
    { term: 'Workers', value: describeWorkers(overview) },
    {
      term: 'Last job began',
      value: workers.lastActiveAt ? <TimeAgo instant={workers.lastActiveAt} /> : 'Never',
    },
    {
      term: 'Background work',
      value: workers.isSilent ? (
        <StatusBadge tone="bad">No worker seen</StatusBadge>
      ) : (
        <StatusBadge tone="good">Working</StatusBadge>
      ),
    },
    { term: 'Filtered files to build', value: formatCount(queue.waitingFileCount) },
  ]
}
