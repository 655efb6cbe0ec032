import type { ListedGroup } from '../../../shared/schemas/group'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

interface DeleteGroupDialogProps {
  isOpen: boolean
  group: ListedGroup | null
  onClose: () => void
}

export function DeleteGroupDialog({ isOpen, group, onClose }: DeleteGroupDialogProps) {
  const utils = trpc.useUtils()
  const remove = trpc.groups.delete.useMutation({
    onSuccess: () => showSuccess('Group deleted'),
    onError: (error) => showFailure(error),
    onSettled: () => {
      onClose()
      void utils.groups.invalidate()
    },
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      isPending={remove.isPending}
      title="Delete the group"
      confirmLabel="Delete"
      onConfirm={() => group && remove.mutate({ id: group.id })}
    >
      The group <bdi>{group?.name}</bdi> is deleted. It has no members, so nothing changes for any
      retailer.
    </ConfirmDialog>
  )
}
