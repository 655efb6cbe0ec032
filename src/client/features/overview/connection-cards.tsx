import { IconPlugConnected, IconRefresh } from '@tabler/icons-react'

import { formatCount, formatCountOf } from '../../../shared/format'
import type { Overview } from '../../../shared/schemas/operations'
import { StatCard } from '../../components/chart/stat-card'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { TextLink } from '../../components/layout/links'
import { FigureSkeleton } from './figure-skeleton'

import classes from './overview-cards.module.css'

/** How many connections fail. */
export function ConnectionsCard({ overview }: { overview: Overview | undefined }) {
  return (
    <StatCard
      isCompact
      title="Connections"
      icon={IconPlugConnected}
      value={overview ? <Failing overview={overview} /> : <FigureSkeleton />}
      label={overview && describeConnections(overview)}
    />
  )
}

function Failing({ overview: { connectionCount, failingCount } }: { overview: Overview }) {
  if (connectionCount === 0) return 'None yet'
  if (failingCount === 0) return 'None failing'
  return <span className={classes.problem}>{formatCount(failingCount)} failing</span>
}

function describeConnections({ connectionCount, lateCount, heldCount }: Overview): string {
  if (connectionCount === 0) return 'Suppliers add their own'
  return [
    `of ${formatCountOf(connectionCount, 'active connection')}`,
    lateCount > 0 && `${formatCount(lateCount)} late`,
    heldCount > 0 && `${formatCount(heldCount)} held`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** How many syncs run and wait. */
export function SyncsCard({ overview }: { overview: Overview | undefined }) {
  return (
    <StatCard
      isCompact
      title="Syncs"
      icon={IconRefresh}
      value={overview ? `${formatCount(overview.queue.runningCount)} running` : <FigureSkeleton />}
      label={overview && <Waiting queue={overview.queue} />}
    >
      {overview && (
        <div className={classes.note}>
          <TextLink to="/dashboard/super-admin/operations" size="sm">
            Operations
          </TextLink>
          {overview.workers.isSilent && <StatusBadge tone="bad">No worker seen</StatusBadge>}
        </div>
      )}
    </StatCard>
  )
}

function Waiting({ queue: { waitingCount, waitingSince } }: Pick<Overview, 'queue'>) {
  if (waitingCount === 0 || waitingSince === null) return 'None waiting'
  return (
    <>
      {formatCount(waitingCount)} waiting, the first due <TimeAgo instant={waitingSince} />
    </>
  )
}
