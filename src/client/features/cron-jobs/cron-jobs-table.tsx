import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import {
  IconArchive,
  IconDatabaseExport,
  IconHistory,
  IconPlayerPause,
  IconPlayerPlay,
  IconBolt,
  IconTrash,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { BACKUP_JOB } from '../../../shared/constants'
import type { CronJob } from '../../../shared/schemas/cron-job'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import { RowActions } from '../../components/table/row-actions'
import { RowProblem } from '../../components/table/row-problem'
import type { Column } from '../../components/table/table-column'
import { CronJobStatus } from './cron-job-status'

import classes from './cron-jobs-table.module.css'

interface CronJobsTableProps {
  jobs: readonly CronJob[] | undefined
  /** Names of the jobs that are being started, and paused or resumed. */
  startingName: string | undefined
  savingName: string | undefined
  onStart: (job: CronJob) => void
  onSetActive: (job: CronJob, isActive: boolean) => void
  onShowBackups: (job: CronJob) => void
  onShowRuns: (job: CronJob) => void
  onDelete: (job: CronJob) => void
}

export function CronJobsTable(props: CronJobsTableProps) {
  return (
    <DataTable
      label="Cron jobs"
      columns={cronJobColumns(props)}
      rows={props.jobs}
      rowKey={({ name }) => name}
      renderDetail={({ lastError }) =>
        lastError && <RowProblem title="Last run failed.">{lastError}</RowProblem>
      }
    />
  )
}

/** Columns: Name, Description, Schedule, Last Run, Status, Actions. */
function cronJobColumns(props: CronJobsTableProps): Column<CronJob>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: 168,
      cell: ({ name }) => <Truncated text={name} tone="strong" />,
    },
    {
      id: 'description',
      header: 'Description',
      minWidth: 180,
      cell: ({ description }) => (
        <Text component="div" c="dimmed">
          {description}
        </Text>
      ),
    },
    {
      id: 'schedule',
      header: 'Schedule',
      width: 168,
      cell: ({ schedule, scheduleText }) => (
        <>
          <div>{scheduleText}</div>
          <code className={classes.expression}>{schedule}</code>
        </>
      ),
    },
    {
      id: 'lastRun',
      header: 'Last Run',
      width: 144,
      cell: (job) => <LastRun job={job} {...props} />,
    },
    { id: 'status', header: 'Status', width: 124, cell: (job) => <Status job={job} /> },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      actionCount: 4,
      cell: (job) => <RowActions rowName={job.name} actions={jobActions(job, props)} />,
    },
  ]
}

function LastRun({ job, onShowRuns }: { job: CronJob } & CronJobsTableProps) {
  return (
    <>
      {job.lastRun ? (
        <UnstyledButton className={classes.runs} onClick={() => onShowRuns(job)}>
          <TimeAgo instant={job.lastRun} />
          <VisuallyHidden>, run history of {job.name}</VisuallyHidden>
          <IconHistory size={14} stroke={1.75} aria-hidden="true" />
        </UnstyledButton>
      ) : (
        <span>Never</span>
      )}
      <Note>
        {job.nextRun ? (
          <>
            Next <TimeAgo instant={job.nextRun} />
          </>
        ) : (
          'Not scheduled'
        )}
      </Note>
    </>
  )
}

function Status({ job }: { job: CronJob }) {
  return (
    <>
      <CronJobStatus status={job.status} />
      {job.status === 'running' && job.step && <Note>{job.step}</Note>}
      {!job.isActive && <Note>Paused</Note>}
    </>
  )
}

const Note = (props: { children: ReactNode }) => (
  <Text component="div" c="dimmed" fz="xs" mt={2} {...props} />
)

function jobActions(job: CronJob, props: CronJobsTableProps) {
  const isBackup = job.name === BACKUP_JOB
  return [
    {
      label: isBackup ? 'Trigger backup' : 'Run now',
      name: isBackup ? 'Trigger' : 'Run',
      icon: isBackup ? IconDatabaseExport : IconBolt,
      isPending: props.startingName === job.name || job.status === 'running',
      onClick: () => props.onStart(job),
    },
    {
      label: 'View backup history',
      name: 'View backup history of',
      icon: IconArchive,
      onClick: () => props.onShowBackups(job),
    },
    {
      label: job.isActive ? 'Pause' : 'Resume',
      icon: job.isActive ? IconPlayerPause : IconPlayerPlay,
      isPending: props.savingName === job.name,
      onClick: () => props.onSetActive(job, !job.isActive),
    },
    {
      label: 'Delete job',
      name: 'Delete',
      icon: IconTrash,
      isDestructive: true,
      onClick: () => props.onDelete(job),
    },
  ]
}
