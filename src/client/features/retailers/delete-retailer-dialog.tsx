import { Text } from '@mantine/core'

import type { ListedRetailer } from '../../../shared/schemas/retailer'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { TimeAgo } from '../../components/feedback/time-ago'
import { showError, showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { retailerName } from './retailer-names'
import { useOptimisticRetailers } from './use-optimistic-retailers'

interface DeleteRetailerDialogProps {
  isOpen: boolean
  retailer: ListedRetailer | null
  onClose: () => void
  onDeleted: (id: number) => void
}

export function DeleteRetailerDialog(props: DeleteRetailerDialogProps) {
  const { isOpen, retailer, onClose } = props
  const list = useOptimisticRetailers()
  const remove = trpc.retailers.delete.useMutation({
    onMutate: ({ id }) => list.apply(id, () => null),
    onSuccess: (_result, { id }) => {
      showSuccess('Retailer deleted')
      props.onDeleted(id)
      onClose()
    },
    onError: (error, _input, restore) => {
      restore?.()
      showFailure(error, 'Failed to delete retailer')
    },
    onSettled: () => list.refresh(),
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      isPending={remove.isPending}
      title="Delete Retailer"
      confirmLabel="Delete"
      onConfirm={() =>
        retailer ? remove.mutate({ id: retailer.id }) : showError('No retailer selected')
      }
    >
      Are you sure you want to delete the retailer &quot;
      <bdi>{retailer ? retailerName(retailer) : ''}</bdi>
      &quot;? This will permanently remove the retailer account and all associated data. This action
      cannot be undone.
      {retailer && <EndingAddress retailerId={retailer.id} />}
    </ConfirmDialog>
  )
}

/** Says that a shop which reads now will get nothing any more. */
function EndingAddress({ retailerId }: { retailerId: number }) {
  const { data: addresses = [] } = trpc.feedAddresses.list.useQuery({ id: retailerId })
  const lastUsedAt = addresses
    .flatMap((address) => address.lastUsedAt ?? [])
    .toSorted()
    .at(-1)
  if (addresses.length === 0) return null
  return (
    <Text span display="block" mt="sm" fw={550}>
      Its feed address stops working:{' '}
      {lastUsedAt ? (
        <>
          its shop last read there <TimeAgo instant={lastUsedAt} />.
        </>
      ) : (
        'nothing has read there yet.'
      )}
    </Text>
  )
}
