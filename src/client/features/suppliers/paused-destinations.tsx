import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'

import { formatCount } from '../../../shared/format'
import type { PausedDestination, SupplierOverview } from '../../../shared/schemas/supplier'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Panel } from '../../components/layout/panel'
import { Truncated } from '../../components/layout/truncated'
import { useViewAs } from '../../session/use-view-as'

import classes from './paused-destinations.module.css'

/** Where files of a supplier's retailers do not go any more, and why; nothing without any. */
export function PausedDestinations({ supplier }: { supplier: SupplierOverview }) {
  const { pausedDestinations: shown, pausedDestinationCount: count } = supplier
  if (shown.length === 0) return null
  return (
    <Panel
      isFlush
      title="Paused destinations"
      description="Nothing is sent there until somebody has pressed Try now, on the page where the shop is connected."
    >
      <ul className={classes.list}>
        {shown.map((destination) => (
          <PausedLine key={destination.id} destination={destination} />
        ))}
        {count > shown.length && (
          <li className={classes.more}>and {formatCount(count - shown.length)} more</li>
        )}
      </ul>
    </Panel>
  )
}

function PausedLine({ destination }: { destination: PausedDestination }) {
  const { userId, storeName, name, pausedAt, reason } = destination
  const viewAs = useViewAs()
  return (
    <li className={classes.line}>
      <StatusBadge tone="bad">Paused</StatusBadge>
      <div className={classes.text}>
        <strong>
          <bdi>{storeName}</bdi>
        </strong>
        , <bdi>{name}</bdi>: since <TimeAgo instant={pausedAt} />
        {reason !== null && <Truncated text={reason} tone="note" lines={2} />}
      </div>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconEye size={14} aria-hidden="true" />}
        loading={viewAs.isPending}
        aria-label={`View as ${storeName}`}
        onClick={() => viewAs.mutate({ userId })}
      >
        View as
      </Button>
    </li>
  )
}
