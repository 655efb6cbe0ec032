import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { MINUTE_MS } from '../../../shared/durations'
import { formatCount, formatCountOf } from '../../../shared/format'
import type { Overview, StorageState, TroubledConnection } from '../../../shared/schemas/operations'
import { StatusBadge, type StatusTone } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { TextLink } from '../../components/layout/links'
import { Panel } from '../../components/layout/panel'
import { Truncated } from '../../components/layout/truncated'
import { useNow } from '../../lib/use-now'
import { trpc } from '../../trpc'

import classes from './needs-you.module.css'

const TROUBLES: Record<
  TroubledConnection['trouble'],
  { word: string; tone: StatusTone; toDo: string }
> = {
  failing: { word: 'Failed', tone: 'bad', toDo: 'See why it fails' },
  held: { word: 'Held', tone: 'warn', toDo: 'See what is held' },
  late: { word: 'Late', tone: 'warn', toDo: 'See its last syncs' },
}

/** A sync that has been due for longer waits for more than its turn. */
const LONG_WAIT_MS = 15 * MINUTE_MS

/** What an administrator has to look at, each with where to go; says so if there is nothing. */
export function NeedsYou() {
  const troubles = trpc.operations.troubles.useQuery()
  const overview = trpc.operations.overview.useQuery()
  const storage = trpc.operations.storage.useQuery()
  const nowMs = useNow()
  // That these could not be loaded is said where they are shown.
  if (!troubles.data || !overview.data || !storage.data) return null
  const needs = [
    ...listOwnNeeds(overview.data, storage.data, nowMs),
    ...troubles.data.map((trouble) => (
      <ConnectionNeed key={trouble.connectionId} connection={trouble} />
    )),
    ...overview.data.pausedDestinations.map((paused) => (
      <DestinationsNeed key={`destinations ${paused.supplierId}`} paused={paused} />
    )),
  ]
  const moreCount = overview.data.troubledCount - troubles.data.length
  return (
    <div className={classes.frame}>
      <Panel isFlush title="Needs you">
        {needs.length === 0 ? (
          <p className={classes.nothing}>
            <IconCircleCheck size={18} stroke={1.9} aria-hidden="true" />
            {overview.data.connectionCount === 0
              ? 'Nothing yet: suppliers add their connections.'
              : 'Nothing: each connection has published, each file that is sent arrives, the disk has room, and the last backup is verified.'}
          </p>
        ) : (
          <ul className={classes.needs}>
            {needs}
            {moreCount > 0 && (
              <li className={classes.more}>
                and {formatCount(moreCount)} more, in the table of suppliers
              </li>
            )}
          </ul>
        )}
      </Panel>
    </div>
  )
}

function listOwnNeeds(
  { workers, queue }: Overview,
  { disk, backup }: StorageState,
  nowMs: number,
): ReactNode[] {
  const { waitingCount, waitingSince } = queue
  return [
    workers.isSilent && (
      <Need
        key="workers"
        word="No worker"
        tone="bad"
        action={<OperationsLink text="See the workers" />}
      >
        No scheduler has worked for minutes: nothing is synced.
      </Need>
    ),
    waitingSince !== null && nowMs - Date.parse(waitingSince) > LONG_WAIT_MS && (
      <Need key="queue" word="Queue" tone="warn" action={<OperationsLink text="See what waits" />}>
        {formatCountOf(waitingCount, 'sync waits', 'syncs wait')}, the first due{' '}
        <TimeAgo instant={waitingSince} />.
      </Need>
    ),
    disk.shortage !== null && (
      <Need key="disk" word="Disk" tone="bad" action={<OperationsLink text="See what waits" />}>
        {disk.shortage}
      </Need>
    ),
    backup.isOverdue && (
      <Need
        key="backup"
        word="No backup"
        tone="warn"
        action={
          <TextLink to="/dashboard/super-admin/cron-jobs" fz="sm">
            Back up now
          </TextLink>
        }
      >
        {backup.last ? (
          <>
            The last verified backup was made <TimeAgo instant={backup.last.createdAt} />.
          </>
        ) : (
          'There is no verified backup yet; one is made every night.'
        )}
      </Need>
    ),
  ].filter(Boolean)
}

const OperationsLink = ({ text }: { text: string }) => (
  <TextLink to="/dashboard/super-admin/operations" fz="sm">
    {text}
  </TextLink>
)

interface SupplierLinkProps {
  supplier: { supplierId: number; supplierName: string }
  /** What is to be done there. */
  toDo: string
}

const SupplierLink = ({ supplier: { supplierId, supplierName }, toDo }: SupplierLinkProps) => (
  <TextLink
    to="/dashboard/super-admin/suppliers/$supplierId"
    params={{ supplierId: String(supplierId) }}
    aria-label={`${toDo}: ${supplierName}`}
    fz="sm"
  >
    {toDo}
  </TextLink>
)

function ConnectionNeed({ connection }: { connection: TroubledConnection }) {
  const { supplierName, connectionName, trouble, lastSync, reason } = connection
  const { toDo, ...shown } = TROUBLES[trouble]
  return (
    <Need {...shown} action={<SupplierLink supplier={connection} toDo={toDo} />}>
      <strong>
        <bdi>{supplierName}</bdi>
      </strong>
      , <bdi>{connectionName}</bdi>:{' '}
      {lastSync ? (
        <>
          data as of <TimeAgo instant={lastSync} />
        </>
      ) : (
        'no file yet'
      )}
      {reason !== null && <Truncated text={reason} tone="note" />}
    </Need>
  )
}

function DestinationsNeed({ paused }: { paused: Overview['pausedDestinations'][number] }) {
  const { supplierName, count } = paused
  const toDo = count === 1 ? 'See which one' : 'See which ones'
  return (
    <Need word="Paused" tone="warn" action={<SupplierLink supplier={paused} toDo={toDo} />}>
      <strong>
        <bdi>{supplierName}</bdi>
      </strong>
      : {formatCountOf(count, 'destination')} of its retailers {count === 1 ? 'gets' : 'get'} no
      more files
    </Need>
  )
}

interface NeedProps {
  word: string
  tone: StatusTone
  action: ReactNode
  children: ReactNode
}

const Need = ({ word, tone, action, children }: NeedProps) => (
  <li className={classes.need}>
    <StatusBadge tone={tone}>{word}</StatusBadge>
    <div className={classes.text}>{children}</div>
    {action}
  </li>
)
