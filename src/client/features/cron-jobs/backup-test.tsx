import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import type { BackupFile } from '../../../shared/schemas/cron-job'
import { StatusBadge } from '../../components/feedback/status-badge'
import { formatDateTime, formatExactTime } from '../../lib/time-format'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

import classes from './backup-test.module.css'

type BackupTestProps = Pick<BackupFile, 'filename' | 'drill'> & {
  /** What else may be done with it. */
  children: ReactNode
}

/** What came of restoring a backup into a scratch folder, and the button that does it. */
export function BackupTest({ filename, drill, children }: BackupTestProps) {
  const utils = trpc.useUtils()
  const test = trpc.backups.test.useMutation({
    onSuccess: ({ message }) => showSuccess(message),
    onError: (error) => showFailure(error, 'The backup could not be tested'),
    onSettled: () => utils.backups.invalidate(),
  })
  return (
    <div className={classes.test}>
      <Outcome drill={drill} />{' '}
      {!drill.isRunning && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Test this backup ${filename}`}
          loading={test.isPending}
          onClick={() => test.mutate({ fileName: filename })}
        >
          Test this backup
        </Button>
      )}{' '}
      {children}
    </div>
  )
}

function Outcome({ drill }: Pick<BackupTestProps, 'drill'>) {
  const { isRunning, finishedAt, outcome } = drill
  if (isRunning) return <StatusBadge tone="busy">Being restored and compared</StatusBadge>
  if (finishedAt === null || outcome === null) {
    return <StatusBadge tone="neutral">Not tried yet</StatusBadge>
  }
  const isPassed = outcome === 'passed'
  return (
    <>
      <StatusBadge tone={isPassed ? 'good' : 'bad'}>
        {isPassed ? 'Restored and compared' : 'Test failed'}
      </StatusBadge>{' '}
      <Text span c="dimmed" fz="xs" className={classes.at}>
        on{' '}
        <time dateTime={finishedAt} title={formatExactTime(finishedAt)}>
          {formatDateTime(finishedAt)}
        </time>
      </Text>
    </>
  )
}
