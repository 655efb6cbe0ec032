import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'

import { formatCount, formatDuration, formatFileSize } from '../../../shared/format'
import type { SyncRun } from '../../../shared/schemas/sync-run'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { JoinNote, SourceNote, UpdateNote } from '../../components/feedback/source-note'
import { StatusBadge } from '../../components/feedback/status-badge'
import { describeOutcome } from '../../components/feedback/sync-outcome'
import { TimeAgo } from '../../components/feedback/time-ago'
import { TextLink } from '../../components/layout/links'
import { Panel } from '../../components/layout/panel'
import { RecordsDownload } from '../../components/layout/records-download'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'
import { formatDateTime } from '../../lib/time-format'
import { trpc } from '../../trpc'

/** Number of runs shown until the user asks for all. */
const SHOWN_AT_FIRST = 8

interface RunHistoryProps {
  connectionId: number
  actions?: ReactNode
  /** Whether the files can be compared, which only their supplier's pages can. */
  canCompare?: boolean
}

/** A table of a connection's last runs. */
export function RunHistory({ connectionId, actions, canCompare = false }: RunHistoryProps) {
  const runs = trpc.connections.runs.useQuery({ id: connectionId })
  const [isWhole, setWhole] = useState(false)
  const count = runs.data?.length ?? 0
  return (
    <Panel
      isFlush
      title="Run history"
      description="The result of each sync, newest first"
      actions={
        <>
          {runs.data && count > 0 && (
            <RecordsDownload rows={runs.data} columns={CSV_COLUMNS} fileName="runs.csv" />
          )}
          {actions}
        </>
      }
      footer={
        count > SHOWN_AT_FIRST && (
          <Button variant="default" size="xs" onClick={() => setWhole(!isWhole)}>
            {isWhole ? `Show the last ${SHOWN_AT_FIRST}` : `Show all ${count}`}
          </Button>
        )
      }
    >
      {runs.isError ? (
        <LoadError isCompact title="The run history could not be loaded" query={runs} />
      ) : runs.data && count === 0 ? (
        <EmptyState isCompact icon={IconHistory} title="No runs yet">
          Each sync is listed here with its time, its result and the reason for a failure.
        </EmptyState>
      ) : (
        <DataTable
          label="Run history"
          columns={runColumns(canCompare ? connectionId : null)}
          rows={isWhole ? runs.data : runs.data?.slice(0, SHOWN_AT_FIRST)}
          rowKey={({ id }) => id}
        />
      )}
    </Panel>
  )
}

/** @param connectionId of which files can be compared; null: they cannot */
const runColumns = (connectionId: number | null): Column<SyncRun>[] => [
  {
    id: 'when',
    header: 'When',
    width: 144,
    cell: ({ startedAt }) => <TimeAgo instant={startedAt} />,
  },
  {
    id: 'result',
    header: 'Result',
    width: 124,
    cell: ({ outcome }) => {
      const { word, tone } = describeOutcome(outcome)
      return <StatusBadge tone={tone}>{word}</StatusBadge>
    },
  },
  {
    id: 'reason',
    header: 'Reason',
    minWidth: 150,
    cell: (run) => (
      <>
        {run.fileName !== null && connectionId !== null ? (
          <TextLink
            to="/supplier/connections/$connectionId/comparison"
            params={{ connectionId: String(connectionId) }}
            search={{ to: run.fileName }}
            aria-label={`New file of ${formatDateTime(run.startedAt)}, compared with the one before`}
            fz="sm"
          >
            {describeResult(run)}
          </TextLink>
        ) : (
          <Truncated text={describeResult(run)} lines={3} tone="note" />
        )}
        <UpdateNote update={run.update} />
        <JoinNote joined={run.joined} />
        <SourceNote source={run.source} />
      </>
    ),
  },
  {
    id: 'bytes',
    header: 'Size',
    align: 'right',
    width: 100,
    cell: ({ outcome, bytes }) =>
      outcome === null || bytes === null ? '–' : formatFileSize(bytes, 1),
  },
  {
    id: 'rows',
    header: 'Rows',
    align: 'right',
    width: 88,
    cell: ({ outcome, rows }) => (outcome === null || rows === null ? '–' : formatCount(rows)),
  },
  {
    id: 'duration',
    header: 'Duration',
    align: 'right',
    width: 96,
    cell: ({ durationMs }) => (durationMs === null ? '–' : formatDuration(durationMs)),
  },
]

const CSV_COLUMNS = {
  started: ({ startedAt }: SyncRun) => startedAt,
  finished: ({ finishedAt }: SyncRun) => finishedAt,
  result: ({ outcome }: SyncRun) => outcome,
  reason: ({ reason }: SyncRun) => reason,
  bytes: ({ bytes }: SyncRun) => bytes,
  rows: ({ rows }: SyncRun) => rows,
  'duration ms': ({ durationMs }: SyncRun) => durationMs,
  file: ({ fileName }: SyncRun) => fileName,
}

/** The reason of the outcome, or whether the file is new. */
function describeResult({ outcome, reason }: SyncRun): string {
  if (reason !== null) return reason
  if (outcome === 'published') return 'New file'
  return outcome === 'unchanged' ? 'Same file as before' : '–'
}
