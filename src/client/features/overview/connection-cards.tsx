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

/** The worst first: that none fail is not said in large type beside a held or late one. */
const listTroubles = ({ failingCount, heldCount, lateCount }: Overview) =>
  [
    { count: failingCount, word: 'failing' },
    { count: heldCount, word: 'held' },
    { count: lateCount, word: 'late' },
  ].filter(({ count }) => count > 0)

function Failing({ overview }: { overview: Overview }) {
  const [worst] = listTroubles(overview)
  if (overview.connectionCount === 0) return 'None yet'
  if (!worst) return 'None failing'
  return (
    <span className={worst.word === 'failing' ? classes.problem : classes.attention}>
      {formatCount(worst.count)} {worst.word}
    </span>
  )
}

function describeConnections(overview: Overview): string {
  if (overview.connectionCount === 0) return 'Suppliers add their own'
  const others = listTroubles(overview).slice(1)
  return [
    `of ${formatCountOf(overview.connectionCount, 'active connection')}`,
    ...others.map(({ count, word }) => `${formatCount(count)} ${word}`),
  ].join(', ')
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
