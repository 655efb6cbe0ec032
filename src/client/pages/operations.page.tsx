import { IconPlayerPause } from '@tabler/icons-react'

import { formatCount } from '../../shared/format'
import type { SyncActivity } from '../../shared/schemas/operations'
import { EmptyState, LoadError } from '../components/feedback/message-state'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { RecordsDownload } from '../components/layout/records-download'
import type { CancellableSync } from '../features/overview/cancel-sync-dialog'
import { CancelSyncDialog } from '../features/overview/lazy-dialogs'
import { QueueFacts } from '../features/overview/queue-facts'
import { RunChartsPanel } from '../features/overview/run-charts-panel'
import { RUNNING_CSV, RunningSyncs } from '../features/overview/running-syncs'
import { WAITING_CSV, WaitingSyncs } from '../features/overview/waiting-syncs'
import { useDialogSubject } from '../lib/use-dialog-subject'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

import classes from './panels.module.css'

/** What runs and waits now, of all suppliers. */
export function OperationsPage() {
  usePageTitle('Operations')
  const query = trpc.operations.syncs.useQuery()
  const cancel = useDialogSubject<CancellableSync>()
  const activity = query.data
  return (
    <>
      <PageHeader title="Operations" subtitle="The syncs of all suppliers, as they happen" />
      <div className={classes.panels}>
        <Panel
          isFlush
          title="Running now"
          description={activity && describeRunning(activity)}
          actions={
            activity &&
            activity.running.length > 0 && (
              <RecordsDownload
                rows={activity.running}
                columns={RUNNING_CSV}
                fileName="running-syncs.csv"
              />
            )
          }
        >
          {query.isError && !activity ? (
            <LoadError isCompact title="The syncs could not be loaded" query={query} />
          ) : activity?.running.length === 0 ? (
            <NothingRunning />
          ) : (
            <RunningSyncs runs={activity?.running} onCancel={cancel.open} />
          )}
        </Panel>
        {activity && activity.waiting.length > 0 && (
          <Panel
            isFlush
            title="Waiting"
            description={describeWaiting(activity)}
            actions={
              <RecordsDownload
                rows={activity.waiting}
                columns={WAITING_CSV}
                fileName="waiting-syncs.csv"
              />
            }
          >
            <WaitingSyncs syncs={activity.waiting} onCancel={cancel.open} />
          </Panel>
        )}
        <RunChartsPanel />
        <QueueFacts />
      </div>
      <CancelSyncDialog isOpen={cancel.isOpen} sync={cancel.subject} onClose={cancel.close} />
    </>
  )
}

function NothingRunning() {
  return (
    <EmptyState isCompact icon={IconPlayerPause} title="Nothing is running">
      Syncs appear here while they run, with their progress.
    </EmptyState>
  )
}

function describeRunning({ running, runningCount }: SyncActivity): string | undefined {
  if (runningCount <= running.length) return undefined
  return `The ${formatCount(running.length)} longest running of ${formatCount(runningCount)}`
}

function describeWaiting({ waiting, waitingCount }: SyncActivity): string {
  return waitingCount > waiting.length
    ? `The ${formatCount(waiting.length)} longest waiting of ${formatCount(waitingCount)}`
    : 'Due, and waiting for their turn'
}
