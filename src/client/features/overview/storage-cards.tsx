import { Box } from '@mantine/core'
import { IconDatabaseExport, IconServer } from '@tabler/icons-react'

import { formatFileSize } from '../../../shared/format'
import type { StorageState } from '../../../shared/schemas/operations'
import { StatCard } from '../../components/chart/stat-card'
import { ProgressBar } from '../../components/feedback/progress-bar'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { TextLink } from '../../components/layout/links'
import { FigureSkeleton } from './figure-skeleton'

import classes from './overview-cards.module.css'

/** The age of the newest verified backup, with a warning when it is old or there is none. */
export function BackupCard({ backup }: { backup: StorageState['backup'] | undefined }) {
  return (
    <StatCard
      isCompact
      title="Verified backup"
      icon={IconDatabaseExport}
      value={
        backup ? (
          backup.last ? (
            <TimeAgo instant={backup.last.createdAt} />
          ) : (
            'None yet'
          )
        ) : (
          <FigureSkeleton />
        )
      }
      label={
        backup &&
        (backup.last ? formatFileSize(backup.last.sizeBytes, 1) : 'One is made every night')
      }
    >
      {backup && (
        <div className={classes.note}>
          <TextLink to="/dashboard/super-admin/cron-jobs" size="sm">
            Cron Jobs
          </TextLink>
          <BackupState backup={backup} />
        </div>
      )}
    </StatCard>
  )
}

function BackupState({ backup: { last, isOverdue, isRunning } }: Pick<StorageState, 'backup'>) {
  if (isRunning) return <StatusBadge tone="busy">Backing up</StatusBadge>
  if (isOverdue) return <StatusBadge tone="warn">{last ? 'Overdue' : 'No backup'}</StatusBadge>
  return <StatusBadge tone="good">Verified</StatusBadge>
}

/** Free and used space on the disk of the data folder. */
export function DiskCard({ disk }: { disk: StorageState['disk'] | undefined }) {
  return (
    <StatCard
      isCompact
      title="Disk"
      icon={IconServer}
      value={disk ? `${formatFileSize(disk.freeBytes, 1)} free` : <FigureSkeleton />}
      label={disk && describeUse(disk)}
    >
      {disk && (
        <>
          <Box mt={12}>
            <ProgressBar label="Disk space in use" share={readShare(disk)} />
          </Box>
          {disk.shortage && (
            <div className={classes.note}>
              <span className={classes.problem}>{disk.shortage}</span>
            </div>
          )}
        </>
      )}
    </StatCard>
  )
}

/** `64% of 50 GB used`. */
function describeUse(disk: StorageState['disk']): string {
  return `${Math.round(readShare(disk) * 100)}% of ${formatFileSize(disk.totalBytes, 1)} used`
}

function readShare({ freeBytes, totalBytes }: StorageState['disk']): number {
  return totalBytes === 0 ? 0 : 1 - freeBytes / totalBytes
}
