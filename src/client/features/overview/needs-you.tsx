import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import type { Overview, StorageState, TroubledConnection } from '../../../shared/schemas/operations'
import { StatusBadge, type StatusTone } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { TextLink } from '../../components/layout/links'
import { Panel } from '../../components/layout/panel'
import { Truncated } from '../../components/layout/truncated'
import { trpc } from '../../trpc'

import classes from './needs-you.module.css'

const TROUBLES: Record<TroubledConnection['trouble'], { word: string; tone: StatusTone }> = {
  failing: { word: 'Failed', tone: 'bad' },
  held: { word: 'Held', tone: 'warn' },
  late: { word: 'Late', tone: 'warn' },
}

/** What an administrator has to look at, each with where to go; says so if there is nothing. */
export function NeedsYou() {
  const troubles = trpc.operations.troubles.useQuery()
  const overview = trpc.operations.overview.useQuery()
  const storage = trpc.operations.storage.useQuery()
  // That these could not be loaded is said where they are shown.
  if (!troubles.data || !overview.data || !storage.data) return null
  const needs = [
    ...listOwnNeeds(overview.data, storage.data),
    ...troubles.data.map((trouble) => (
      <ConnectionNeed key={trouble.connectionId} connection={trouble} />
    )),
  ]
  return (
    <div className={classes.frame}>
      <Panel isFlush title="Needs you">
        {needs.length === 0 ? (
          <p className={classes.nothing}>
            <IconCircleCheck size={18} stroke={1.9} aria-hidden="true" />
            {overview.data.connectionCount === 0
              ? 'Nothing yet: suppliers add their connections.'
              : 'Nothing: each connection has published, the disk has room, and the last backup is verified.'}
          </p>
        ) : (
          <ul className={classes.needs}>{needs}</ul>
        )}
      </Panel>
    </div>
  )
}

function listOwnNeeds({ workers }: Overview, { disk, backup }: StorageState): ReactNode[] {
  const operations = (
    <TextLink to="/dashboard/super-admin/operations" fz="sm">
      Operations
    </TextLink>
  )
  return [
    workers.isSilent && (
      <Need key="workers" word="No worker" tone="bad" action={operations}>
        No scheduler has worked for minutes: nothing is synced.
      </Need>
    ),
    disk.shortage !== null && (
      <Need key="disk" word="Disk" tone="bad" action={operations}>
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
            Cron Jobs
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

function ConnectionNeed({ connection }: { connection: TroubledConnection }) {
  const { supplierId, supplierName, connectionName, trouble, lastSync, reason } = connection
  return (
    <Need
      {...TROUBLES[trouble]}
      action={
        <TextLink
          to="/dashboard/super-admin/suppliers/$supplierId"
          params={{ supplierId: String(supplierId) }}
          aria-label={`Open ${supplierName}`}
          fz="sm"
        >
          Open
        </TextLink>
      }
    >
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
