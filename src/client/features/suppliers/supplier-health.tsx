import { formatCountOf } from '../../../shared/format'
import type { ListedSupplier } from '../../../shared/schemas/supplier'
import { ConnectionStatus } from '../../components/feedback/connection-status'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Truncated } from '../../components/layout/truncated'
import { describeRetailers } from './retailers-in-use'

import classes from './supplier-health.module.css'

/** A line about a supplier's connection: status, last publication, retailers in use, last error. */
export function SupplierHealth({ supplier }: { supplier: ListedSupplier }) {
  const { connection, publishedAt } = supplier
  return (
    <div className={classes.health}>
      {connection ? (
        <ConnectionStatus status={connection.status} />
      ) : (
        <StatusBadge tone="neutral">No connection yet</StatusBadge>
      )}
      {connection && (
        <span>
          {publishedAt ? (
            <>
              Published <TimeAgo instant={publishedAt} />
            </>
          ) : (
            'Nothing published yet'
          )}
        </span>
      )}
      <span>{describeRetailers(supplier)}</span>
      {supplier.pausedDestinationCount > 0 && (
        <StatusBadge tone="bad">
          {formatCountOf(supplier.pausedDestinationCount, 'destination')} paused
        </StatusBadge>
      )}
      {connection?.lastError && (
        <div
          className={classes.error}
          data-failing={connection.consecutiveFailures > 0 || undefined}
        >
          <Truncated text={connection.lastError} />
        </div>
      )}
    </div>
  )
}
