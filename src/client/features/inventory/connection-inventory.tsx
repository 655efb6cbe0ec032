import { Group, Text } from '@mantine/core'
import { IconPlugConnected, IconPointer, IconTableOff } from '@tabler/icons-react'

import { INVENTORY_PREVIEW_ROWS } from '../../../shared/constants'
import {
  formatCount,
  formatFileName,
  formatFileSize,
  formatOptionLabel,
} from '../../../shared/format'
import type { Connection } from '../../../shared/schemas/connection'
import type { InventoryPreview } from '../../../shared/schemas/file'
import { ConnectionStatus } from '../../components/feedback/connection-status'
import { FreshnessBadge } from '../../components/feedback/freshness-badge'
import { EmptyState } from '../../components/feedback/message-state'
import { TimeAgo } from '../../components/feedback/time-ago'
import { DownloadLink } from '../../components/layout/download-link'
import { ButtonLink, TextLink } from '../../components/layout/links'
import { Panel } from '../../components/layout/panel'
import { formatPace } from '../../lib/format-pace'
import { formatDateTime } from '../../lib/time-format'
import { useRowsView } from '../../lib/use-rows-view'
import { trpc } from '../../trpc'
import { BrowseAllButton, FileRows } from './browse-all'
import { RowsSkeleton } from './rows-skeleton'

/** Shown while no connection is chosen: how to choose one, or to create the first. */
export function NoConnectionSelected({ hasConnections }: { hasConnections: boolean }) {
  return (
    <Panel>
      {hasConnections ? (
        <EmptyState icon={IconPointer} title="No Connection Selected">
          Select a connection to see its latest file.
        </EmptyState>
      ) : (
        <EmptyState
          icon={IconPlugConnected}
          title="No Connection Selected"
          action={
            <ButtonLink to="/supplier/connections" search={{ add: true }}>
              Add Connection
            </ButtonLink>
          }
        >
          Connect your inventory file first. Its rows appear here after the first sync.
        </EmptyState>
      )}
    </Panel>
  )
}

/** The card at the right of the supplier's Inventory Preview. */
export function ConnectionInventory({ connection }: { connection: Connection }) {
  const inventory = trpc.connections.inventory.useQuery({ id: connection.id })
  const preview = inventory.data && 'rows' in inventory.data ? inventory.data : null
  return (
    <Panel
      isFlush
      title={connection.name}
      description={<Summary connection={connection} preview={preview} />}
      actions={
        preview && (
          <>
            <ButtonLink
              to="/supplier/connections/$connectionId/items"
              params={{ connectionId: String(connection.id) }}
              variant="default"
            >
              Look up an item
            </ButtonLink>
            <DownloadLink href={preview.downloadUrl} variant="default">
              Download
            </DownloadLink>
          </>
        )
      }
      footer={preview && <FileLine preview={preview} />}
    >
      {inventory.isPending ? (
        <RowsSkeleton />
      ) : preview ? (
        <FileRows source={{ connectionId: connection.id }} preview={preview} />
      ) : (
        <NoData connection={connection} />
      )}
    </Panel>
  )
}

interface PreviewProps {
  connection: Connection
  preview: InventoryPreview | null
}

/**
 * Type, 'connection synchronized', the frequency and the last-updated time, which is when the file
 * last changed. Below, the state of the connection, when the source was last read, and where to
 * decide on a held file.
 */
function Summary({ connection, preview }: PreviewProps) {
  const { lastSync, freshness } = connection
  const dataAsOf = preview?.dataAsOf ?? lastSync
  return (
    <>
      <div>
        {formatOptionLabel(connection.type)} connection synchronized
        {!lastSync && ' (never synced yet)'}
        {' · '}
        {formatPace(connection)}
        {preview && (
          <>
            {' · '}Last updated <TimeAgo instant={preview.downloadDate} />
          </>
        )}
      </div>
      <Group gap="4px 8px" mt={4}>
        <ConnectionStatus status={connection.status} />
        {dataAsOf && (
          <span>
            Data as of <TimeAgo instant={dataAsOf} /> <FreshnessBadge freshness={freshness} />
          </span>
        )}
      </Group>
      {freshness === 'held' && (
        <div>
          A newer file is held. Decide in{' '}
          <TextLink to="/supplier/connections" inherit>
            Connections
          </TextLink>{' '}
          whether your retailers get it.
        </div>
      )}
    </>
  )
}

function NoData({ connection }: { connection: Connection }) {
  return (
    <EmptyState
      icon={IconTableOff}
      title="No Data Available"
      action={
        <ButtonLink to="/supplier/connections" variant="default">
          Open Connections
        </ButtonLink>
      }
    >
      There is no data available for this connection or the file could not be loaded.
      {connection.lastError && (
        <Text c="var(--mantine-color-error)" mt={8}>
          {connection.lastError}
        </Text>
      )}
    </EmptyState>
  )
}

function FileLine({ preview }: { preview: InventoryPreview }) {
  const shown = Math.min(preview.rows.length, INVENTORY_PREVIEW_ROWS)
  const isAll = useRowsView()[0].rows === 'all'
  return (
    <Group justify="space-between" gap="8px 24px" style={{ overflowWrap: 'anywhere' }}>
      {preview.rowCount > shown && !isAll && (
        <Text span inherit c="var(--mantine-color-text)" fw={550} data-figures>
          Showing {shown} of {formatCount(preview.rowCount)} rows
        </Text>
      )}
      <span>
        {formatFileName(preview.fileName)} · {formatFileSize(preview.fileSize)} ·{' '}
        {formatDateTime(preview.downloadDate)}
      </span>
      <BrowseAllButton preview={preview} />
    </Group>
  )
}
