import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import type { Connection } from '../../../shared/schemas/connection'
import { protocolOf } from '../../../shared/source-schemes'
import { ConnectionStatus, isSyncing } from '../../components/feedback/connection-status'
import { FreshnessBadge } from '../../components/feedback/freshness-badge'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { DefinitionList } from '../../components/layout/definition-list'
import { useNow } from '../../lib/use-now'
import { FetchedFrom } from './fetched-from'
import { RunBar } from './run-bar'
import { SyncProgress } from './sync-progress'
import { UpdatesNote } from './updates-note'

import classes from './connection-health.module.css'

interface ConnectionHealthProps {
  connection: Connection
  /** Replaces the supplier's own button that cancels a running sync. */
  cancelButton?: ReactNode
  /** Says where a held file is decided about, instead of its reasons, which are told there. */
  heldNote?: ReactNode
}

/** Status, last and next run, last error, progress and recent runs of a connection. */
export function ConnectionHealth(props: ConnectionHealthProps) {
  const { connection, cancelButton, heldNote } = props
  const weakness = findWeakness(connection.config)
  return (
    <section className={classes.health} aria-label={`Health of ${connection.name}`}>
      <DefinitionList
        items={[
          { term: 'Health', value: <ConnectionStatus status={connection.status} /> },
          {
            term: 'Last success',
            value: <LastSuccess connection={connection} />,
          },
          { term: 'Last attempt', value: <LastAttempt connection={connection} /> },
          { term: 'Next run', value: <NextRun connection={connection} /> },
          { term: 'Category column', value: connection.categoryReading?.column ?? 'Not chosen' },
          ...(weakness === undefined
            ? []
            : [{ term: 'On its way', value: <StatusBadge tone="warn">{weakness}</StatusBadge> }]),
          ...(connection.updates
            ? [{ term: 'Each file has', value: 'Only what has changed' }]
            : []),
        ]}
      />
      <FetchedFrom address={connection.config.url} className={classes.fetchedFrom} />
      {connection.lastError && <LastError connection={connection} heldNote={heldNote} />}
      {connection.afterReadingError && <AfterReadingError reason={connection.afterReadingError} />}
      <UpdatesNote connection={connection} />
      <SyncProgress connection={connection} cancelButton={cancelButton} />
      <RunBar connectionId={connection.id} />
    </section>
  )
}

/** What is not safe about how its file is fetched from a server of SFTP or FTP. */
function findWeakness({ url, transfer }: Connection['config']): string | undefined {
  if (!transfer) return undefined
  if (protocolOf(url) === 'ftp:' && !transfer.usesTls) return 'Not encrypted'
  return transfer.allowsOld ? 'Old encryption' : undefined
}

function LastSuccess({ connection: { lastSync, freshness } }: { connection: Connection }) {
  if (!lastSync) return 'Never'
  return (
    <>
      <TimeAgo instant={lastSync} /> <FreshnessBadge freshness={freshness} />
    </>
  )
}

function LastAttempt({ connection }: { connection: Connection }) {
  if (!connection.lastAttemptAt) return 'Never'
  return (
    <>
      <TimeAgo instant={connection.lastAttemptAt} />
      {connection.lastError && connection.consecutiveFailures > 0 ? ', failed' : ''}
    </>
  )
}

function NextRun({ connection }: { connection: Connection }) {
  const nowMs = useNow()
  if (!connection.isActive) return 'Not scheduled'
  if (isSyncing(connection.status)) return 'Now'
  if (!connection.nextSyncAt) {
    return connection.config.url === '' ? 'When a file is sent' : 'Not scheduled'
  }
  return Date.parse(connection.nextSyncAt) <= nowMs ? (
    'Due now'
  ) : (
    <TimeAgo instant={connection.nextSyncAt} />
  )
}

/** A file that stays at its server although it should not. */
const AfterReadingError = ({ reason }: { reason: string }) => (
  <div className={classes.error}>
    <IconAlertTriangle size={16} stroke={1.9} aria-hidden="true" />
    <div>
      <p className={classes.reason}>
        The file that was read could not be moved or deleted at its server. {reason}
      </p>
      <p>It is published. The next sync tries again.</p>
    </div>
  </div>
)

/** The error of the last sync, and which file retailers still get. */
function LastError(props: Pick<ConnectionHealthProps, 'connection' | 'heldNote'>) {
  const { connection, heldNote } = props
  const isDecidedElsewhere = connection.status === 'held' && heldNote !== undefined
  return (
    <div className={classes.error} data-failing={connection.consecutiveFailures > 0 || undefined}>
      <IconAlertTriangle size={16} stroke={1.9} aria-hidden="true" />
      <div>
        <p className={classes.reason}>
          {isDecidedElsewhere ? <>A new file is held. {heldNote}</> : connection.lastError}
        </p>
        <p>
          {connection.consecutiveFailures > 1 &&
            `${connection.consecutiveFailures} attempts in a row have failed. `}
          {connection.lastSync ? (
            <>
              Retailers keep the last good file, as of <TimeAgo instant={connection.lastSync} />.
            </>
          ) : (
            'There is no file for retailers yet.'
          )}
        </p>
      </div>
    </div>
  )
}
