import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'

import { formatCount, formatRetailerFileSize } from '../../../shared/format'
import type { DownloadRecord } from '../../../shared/schemas/file'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Panel } from '../../components/layout/panel'
import { RecordsDownload } from '../../components/layout/records-download'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'
import { formatDateTime } from '../../lib/time-format'
import { trpc } from '../../trpc'

const COLUMNS: Column<DownloadRecord>[] = [
  {
    id: 'downloadedAt',
    header: 'Downloaded',
    cell: ({ downloadedAt }) => <TimeAgo instant={downloadedAt} />,
  },
  {
    id: 'dataAsOf',
    header: 'Data as of',
    minWidth: 168,
    cell: ({ dataAsOf }) => formatDateTime(dataAsOf),
  },
  {
    id: 'rowCount',
    header: 'Rows',
    align: 'right',
    width: 96,
    cell: ({ rowCount }) => formatCount(rowCount),
  },
  {
    id: 'fileSize',
    header: 'Size',
    align: 'right',
    width: 96,
    cell: ({ fileSize }) => formatRetailerFileSize(fileSize),
  },
  { id: 'client', header: 'With', cell: ({ client }) => client },
]

const CSV_COLUMNS = {
  downloaded: ({ downloadedAt }: DownloadRecord) => downloadedAt,
  'data as of': ({ dataAsOf }: DownloadRecord) => dataAsOf,
  rows: ({ rowCount }: DownloadRecord) => rowCount,
  bytes: ({ fileSize }: DownloadRecord) => fileSize,
  with: ({ client }: DownloadRecord) => client,
  file: ({ fileName }: DownloadRecord) => fileName,
}

/** Shown before all are asked for, because the history is seldom read. */
const FIRST_SHOWN = 5

/** The last downloads of a retailer. */
export function DownloadHistory({ retailerId }: { retailerId: number }) {
  const query = trpc.retailers.downloads.useQuery({ id: retailerId })
  const [isOpen, setOpen] = useState(false)
  const count = query.data?.length ?? 0
  return (
    <Panel
      title="Download history"
      description="Your last 20 downloads, in a browser or by a program"
      isFlush
      actions={
        query.data &&
        count > 0 && (
          <RecordsDownload rows={query.data} columns={CSV_COLUMNS} fileName="downloads.csv" />
        )
      }
      footer={
        count > FIRST_SHOWN &&
        !isOpen && (
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            Show all {count}
          </Button>
        )
      }
    >
      {query.isError ? (
        <LoadError isCompact title="The downloads could not be loaded" query={query} />
      ) : query.data?.length === 0 ? (
        <EmptyState isCompact icon={IconDownload} title="No downloads yet">
          Each download of your file is listed here.
        </EmptyState>
      ) : (
        <DataTable
          label="Download history"
          rows={isOpen ? query.data : query.data?.slice(0, FIRST_SHOWN)}
          rowKey={({ id }) => id}
          columns={COLUMNS}
        />
      )}
    </Panel>
  )
}
