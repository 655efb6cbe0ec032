import { Button } from '@mantine/core'
import { IconClockOff, IconRestore } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import type { CronJob } from '../../shared/schemas/cron-job'
import { lazyDialog } from '../components/dialog/lazy-dialog'
import { EmptyState, LoadError } from '../components/feedback/message-state'
import { RefreshButton } from '../components/feedback/refresh-button'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { CronJobsTable } from '../features/cron-jobs/cron-jobs-table'
import { useCronJobActions } from '../features/cron-jobs/use-cron-job-actions'
import { useDialogSubject } from '../lib/use-dialog-subject'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

const BackupHistoryDialog = lazyDialog(
  async () => (await import('../features/cron-jobs/backup-history-dialog')).BackupHistoryDialog,
)
const RunHistoryDialog = lazyDialog(
  async () => (await import('../features/cron-jobs/run-history-dialog')).RunHistoryDialog,
)
const DeleteCronJobDialog = lazyDialog(
  async () => (await import('../features/cron-jobs/delete-cron-job-dialog')).DeleteCronJobDialog,
)

/** The administrator's cron jobs. */
export function CronJobsPage() {
  usePageTitle('Cron Jobs Manager')
  const list = trpc.cronJobs.list.useQuery()
  const actions = useCronJobActions()
  const backups = useDialogSubject<CronJob>()
  const runs = useDialogSubject<CronJob>()
  const deletion = useDialogSubject<CronJob>()
  const restoreButton = (
    <RestoreButton isRestoring={actions.isRestoring} onClick={actions.restore} />
  )
  return (
    <>
      <PageHeader
        title="Cron Jobs Manager"
        subtitle="Scheduled background jobs and their backups"
        actions={
          <>
            {restoreButton}
            <RefreshButton onRefresh={list.refetch} />
          </>
        }
      />
      <Panel isFlush>
        {list.isError && !list.data ? (
          <LoadError title="The cron jobs could not be loaded" query={list} />
        ) : list.data?.length === 0 ? (
          <NoCronJobs restoreButton={restoreButton} />
        ) : (
          <CronJobsTable
            jobs={list.data}
            startingName={actions.startingName}
            savingName={actions.savingName}
            onStart={actions.start}
            onSetActive={actions.setActive}
            onShowBackups={backups.open}
            onShowRuns={runs.open}
            onDelete={deletion.open}
          />
        )}
      </Panel>
      <BackupHistoryDialog isOpen={backups.isOpen} job={backups.subject} onClose={backups.close} />
      <RunHistoryDialog isOpen={runs.isOpen} job={runs.subject} onClose={runs.close} />
      <DeleteCronJobDialog
        isOpen={deletion.isOpen}
        job={deletion.subject}
        onClose={deletion.close}
      />
    </>
  )
}

const RestoreButton = (props: { isRestoring: boolean; onClick: () => void }) => (
  <Button
    variant="default"
    leftSection={<IconRestore size={16} aria-hidden="true" />}
    loading={props.isRestoring}
    onClick={props.onClick}
  >
    Restore Jobs
  </Button>
)

const NoCronJobs = ({ restoreButton }: { restoreButton: ReactNode }) => (
  <EmptyState icon={IconClockOff} title="No cron jobs" action={restoreButton}>
    All jobs were deleted: no automatic clean-up or backup runs.
  </EmptyState>
)
