import { ActionIcon, Button, Code, Text, Tooltip } from '@mantine/core'
import { IconArchiveOff, IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type MouseEvent } from 'react'

import { BACKUP_JOB } from '../../../shared/constants'
import { formatDuration, formatFileSize } from '../../../shared/format'
import type { BackupFile } from '../../../shared/schemas/cron-job'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { StatusBadge } from '../../components/feedback/status-badge'
import { RecordsDownload } from '../../components/layout/records-download'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import { RowProblem } from '../../components/table/row-problem'
import type { Column } from '../../components/table/table-column'
import { formatDateTime, formatExactTime } from '../../lib/time-format'
import { showFailure } from '../../lib/toast'
import { trpc } from '../../trpc'
import { BackupTest } from './backup-test'
import { HistoryDialog, type HistoryDialogProps } from './history-dialog'
import { LastRestore } from './last-restore'
import { RestoreGuide, RestoreSteps } from './lazy-restore'

import classes from './history-dialog.module.css'

/** The verified backups of a job. */
export function BackupHistoryDialog(props: HistoryDialogProps) {
  return (
    <HistoryDialog {...props} title={`Backup History - ${props.job?.name ?? ''}`}>
      {(jobName) => <BackupHistory jobName={jobName} />}
    </HistoryDialog>
  )
}

function BackupHistory({ jobName }: { jobName: string }) {
  const list = trpc.backups.list.useQuery({ jobName })
  const restore = trpc.restores.state.useQuery(undefined, { enabled: jobName === BACKUP_JOB })
  const [chosen, setChosen] = useState<BackupFile>()
  const isUnderWay = restore.data?.endedAt === null && restore.data.step !== 'failed'
  if (isUnderWay) return <RestoreSteps />
  if (chosen) {
    return (
      <RestoreGuide
        fileName={chosen.filename}
        onBegun={() => void restore.refetch()}
        onBack={() => setChosen(undefined)}
      />
    )
  }
  if (list.isError && !list.data) {
    return <LoadError title="The backups could not be loaded" query={list} />
  }
  if (list.data?.length === 0) {
    return <EmptyState icon={IconArchiveOff} title="No backup files found for this job" />
  }
  const [newest] = list.data ?? []
  return (
    <>
      {restore.data && <LastRestore restore={restore.data} />}
      <DataTable
        label="Backups"
        columns={listColumns(setChosen)}
        rows={list.data}
        rowKey={({ filename }) => filename}
        renderDetail={({ drill }) =>
          drill.outcome === 'failed' &&
          !drill.isRunning && <RowProblem title="Failed:">{drill.reason}</RowProblem>
        }
      />
      <div className={classes.export}>
        <RecordsDownload rows={list.data} columns={CSV_COLUMNS} fileName="backups.csv" />
      </div>
      {newest && (
        <div className={classes.hint}>
          To restore it by a command instead, stop the product, copy the file into its folder and
          run
          <Code block mt={6}>
            npm run restore -- {newest.filename}
          </Code>
        </div>
      )}
    </>
  )
}

const CSV_COLUMNS = {
  date: ({ createdAt }: BackupFile) => createdAt,
  filename: ({ filename }: BackupFile) => filename,
  kind: ({ kind }: BackupFile) => kind,
  bytes: ({ size }: BackupFile) => size,
  verified: ({ verifiedAt }: BackupFile) => verifiedAt,
  tested: ({ drill }: BackupFile) => drill.finishedAt,
  test: ({ drill }: BackupFile) => drill.outcome,
}

function describeVerification({
  createdAt,
  verifiedAt,
  filesReadSince,
}: Pick<BackupFile, 'createdAt' | 'verifiedAt' | 'filesReadSince'>): string {
  const at = formatExactTime(verifiedAt)
  if (filesReadSince >= createdAt) return `Read back completely ${at}`
  return `Database, new files and a part of the others read back ${at}, all others since ${formatExactTime(filesReadSince)}`
}

/** Columns: Date, Filename with its test and restore, Size and a download action. */
const listColumns = (onRestore: (backup: BackupFile) => void): Column<BackupFile>[] => [
  {
    id: 'date',
    header: 'Date',
    width: 200,
    cell: ({ createdAt, durationMs }) => (
      <>
        <time dateTime={createdAt} title={formatExactTime(createdAt)}>
          {formatDateTime(createdAt)}
        </time>
        <Text component="div" c="dimmed" fz="xs">
          took {formatDuration(durationMs)}
        </Text>
      </>
    ),
  },
  {
    id: 'filename',
    header: 'Filename',
    minWidth: 200,
    cell: (backup) => {
      const { filename, kind, drill, ...times } = backup
      return (
        <>
          <Truncated text={filename} dir="ltr" />
          <Tooltip label={describeVerification(times)}>
            <span>
              <StatusBadge tone="good">Verified</StatusBadge>
            </span>
          </Tooltip>
          {kind === 'upgrade' && (
            <Tooltip label="Made before the product was updated; kept until the next update">
              <span>
                <StatusBadge tone="neutral">Before update</StatusBadge>
              </span>
            </Tooltip>
          )}
          <BackupTest filename={filename} drill={drill}>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Restore ${filename}`}
              onClick={() => onRestore(backup)}
            >
              Restore…
            </Button>
          </BackupTest>
        </>
      )
    },
  },
  {
    id: 'size',
    header: 'Size',
    align: 'right',
    width: 110,
    cell: ({ size }) => formatFileSize(size),
  },
  {
    id: 'actions',
    header: 'Download',
    align: 'right',
    actionCount: 1,
    cell: ({ filename, downloadUrl }) => <DownloadBackup name={filename} href={downloadUrl} />,
  },
]

/** A link that is followed once it is confirmed who is there: the browser would save a refusal as the file. */
function DownloadBackup({ name, href }: { name: string; href: string }) {
  const { client } = trpc.useUtils()
  const isConfirmed = useRef(false)
  const check = useMutation({
    mutationFn: () => client.confirmation.check.query(),
    onError: (error) => showFailure(error, 'The backup could not be downloaded'),
  })

  function checkFirst(event: MouseEvent<HTMLAnchorElement>) {
    const link = event.currentTarget
    if (isConfirmed.current) return
    event.preventDefault()
    check.mutate(undefined, {
      onSuccess: () => {
        isConfirmed.current = true
        link.click()
        isConfirmed.current = false
      },
    })
  }

  return (
    <Tooltip label="Download">
      <ActionIcon
        component="a"
        href={href}
        download
        aria-label={`Download ${name}`}
        variant="default"
        onClick={checkFirst}
      >
        <IconDownload size={17} stroke={1.75} aria-hidden="true" />
      </ActionIcon>
    </Tooltip>
  )
}
