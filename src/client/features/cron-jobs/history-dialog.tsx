import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'

import type { CronJob } from '../../../shared/schemas/cron-job'
import { useIsConfirming } from '../../session/confirmation'

import classes from './history-dialog.module.css'

export interface HistoryDialogProps {
  isOpen: boolean
  job: CronJob | null
  onClose: () => void
}

interface FrameProps extends HistoryDialogProps {
  title: string
  children: (jobName: string) => ReactNode
}

/** A wide dialog for a job's history table. */
export function HistoryDialog({ isOpen, job, onClose, title, children }: FrameProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      // While the user is asked to confirm, Escape only closes that.
      closeOnEscape={!useIsConfirming()}
      size={820}
      padding="lg"
      title={title}
      classNames={{ body: classes.body }}
    >
      {job && children(job.name)}
    </Modal>
  )
}
