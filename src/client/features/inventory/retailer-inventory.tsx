import { Box, Group } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useEffect } from 'react'

import { INVENTORY_PREVIEW_ROWS } from '../../../shared/constants'
import { formatCount, formatFileName, formatRetailerFileSize } from '../../../shared/format'
import type { RetailerPreview } from '../../../shared/schemas/file'
import type { Retailer } from '../../../shared/schemas/retailer'
import { FreshnessBadge } from '../../components/feedback/freshness-badge'
import { EmptyState, ErrorState } from '../../components/feedback/message-state'
import { RefreshButton } from '../../components/feedback/refresh-button'
import { TimeAgo } from '../../components/feedback/time-ago'
import { DownloadLink } from '../../components/layout/download-link'
import { ButtonLink } from '../../components/layout/links'
import { Panel } from '../../components/layout/panel'
import { errorMessage, errorStatus } from '../../lib/error-message'
import { formatDateTime } from '../../lib/time-format'
import { showError } from '../../lib/toast'
import { useRowsView } from '../../lib/use-rows-view'
import { useSignedInUser } from '../../session/current-user'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import { BrowseAllButton, FileRows } from './browse-all'
import { NewerFileNote } from './newer-file-note'
import { RowsSkeleton } from './rows-skeleton'

/** The preview table of the retailer's Inventory Preview. */
export function RetailerInventory({ retailer }: { retailer: Retailer }) {
  const inventory = trpc.retailers.inventory.useQuery({ id: retailer.id })
  const { data, error, isFetching, isError } = inventory
  const preview = data && 'rows' in data ? data : null
  const mayBrowse = useMay('files')
  const isAll = useRowsView()[0].rows === 'all' && mayBrowse
  useEffect(() => {
    if (!error) return
    // 404: there is no such file. Any other error: its rows could not be read.
    if (errorStatus(error) === 404) showError('Failed to fetch latest file information')
    else showError('Failed to load CSV data', 'Error loading CSV data')
  }, [error])
  return (
    <Panel
      isFlush
      title="Inventory Preview"
      description={preview && !isError && <RowsShown preview={preview} isAll={isAll} />}
      actions={
        <>
          <RefreshButton onRefresh={inventory.refetch} />
          {preview && mayBrowse && (
            <>
              {!preview.isWorkbook && (
                <DownloadLink
                  waits
                  variant="default"
                  href={`${preview.downloadUrl}?format=xlsx`}
                  failure="Failed to download Excel workbook"
                >
                  Download as Excel
                </DownloadLink>
              )}
              <DownloadLink href={preview.downloadUrl}>Download Full File</DownloadLink>
            </>
          )}
        </>
      }
      footer={preview && !isError && <FileLine preview={preview} retailer={retailer} />}
    >
      {inventory.isPending || (isFetching && !preview) ? (
        <RowsSkeleton />
      ) : isError ? (
        <ErrorState
          title="Could not load inventory data preview"
          message={errorMessage(error, 'Failed to load CSV data')}
          onRetry={() => void inventory.refetch()}
        />
      ) : preview ? (
        <FileRows source={{ retailerId: retailer.id }} preview={preview} />
      ) : (
        <NoFile message={data && 'message' in data ? data.message : undefined} />
      )}
    </Panel>
  )
}

/** 'Showing N of M rows', unless all are browsed. */
function RowsShown({ preview, isAll }: { preview: RetailerPreview; isAll: boolean }) {
  if (isAll) return 'All rows of the file'
  const shown = Math.min(preview.rows.length, INVENTORY_PREVIEW_ROWS)
  return (
    <span data-figures>
      Showing {formatCount(shown)} of {formatCount(preview.rowCount)} rows
    </span>
  )
}

function FileLine({ preview, retailer }: { preview: RetailerPreview; retailer: Retailer }) {
  return (
    <Group justify="space-between" gap="8px 24px" style={{ overflowWrap: 'anywhere' }}>
      <span>
        {formatFileName(preview.fileName)} · {formatRetailerFileSize(preview.fileSize)} · Data as of{' '}
        {formatDateTime(preview.dataAsOf)} (<TimeAgo instant={preview.dataAsOf} />){' '}
        <FreshnessBadge freshness={preview.freshness} />
      </span>
      <BrowseAllButton preview={preview} />
      {preview.newerFile && (
        <Box flex="1 0 100%">
          <NewerFileNote newerFile={preview.newerFile} retailer={retailer} />
        </Box>
      )}
    </Group>
  )
}

/** For the retailer, or for its supplier who looks at what the retailer sees. */
function NoFile({ message }: { message: string | undefined }) {
  const isSupplier = useSignedInUser().role === 'SUPPLIER'
  return (
    <EmptyState
      icon={IconInbox}
      title={message ?? 'No file is available yet'}
      action={
        isSupplier && (
          <ButtonLink to="/supplier/connections" variant="default">
            Open Connections
          </ButtonLink>
        )
      }
    >
      {isSupplier
        ? 'The rows appear here once a file of yours is published.'
        : 'The rows appear here once your supplier has published a file.'}
    </EmptyState>
  )
}
