import type { CronJob } from '../../../shared/schemas/cron-job'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

interface DeleteCronJobDialogProps {
  isOpen: boolean
  job: CronJob | null
  onClose: () => void
}

export function DeleteCronJobDialog({ isOpen, job, onClose }: DeleteCronJobDialogProps) {
  const utils = trpc.useUtils()
  const remove = trpc.cronJobs.delete.useMutation({
    onSuccess: () => {
      showSuccess('Cron job deleted successfully')
      onClose()
    },
    onError: (error) => showFailure(error, 'Failed to delete the cron job'),
    onSettled: () => utils.cronJobs.invalidate(),
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      isPending={remove.isPending}
      title="Delete Cron Job"
      confirmLabel="Delete"
      onConfirm={() => job && remove.mutate({ name: job.name })}
    >
      Are you sure you want to delete the cron job &quot;{job?.name}&quot;? It stops running, even
      after a restart. Its backups are kept. Restore Jobs brings it back.
    </ConfirmDialog>
  )
}
