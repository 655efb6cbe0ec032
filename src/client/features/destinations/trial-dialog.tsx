import { Button, Modal, Stack } from '@mantine/core'
import { useEffect } from 'react'

import type { Destination } from '../../../shared/schemas/destination'
import { DialogActions } from '../../components/dialog/dialog-actions'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { PendingButton } from '../../components/feedback/pending-button'
import { withConfirmed } from '../../lib/confirmed-keys'
import { errorMessage } from '../../lib/error-message'
import { trpc } from '../../trpc'
import { TrialResult } from './trial-result'
import { useDestinations } from './use-destinations'

interface TrialDialogProps extends DialogProps {
  retailerId: number
  destination: Destination | null
}

/** Tries a saved destination with a small file. */
export function TrialDialog({ isOpen, onClose, retailerId, destination }: TrialDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Test of the destination">
      {destination && (
        <Trial
          key={destination.id}
          retailerId={retailerId}
          destination={destination}
          onClose={onClose}
        />
      )}
    </Modal>
  )
}

interface TrialProps {
  retailerId: number
  destination: Destination
  onClose: () => void
}

function Trial({ retailerId: id, destination, onClose }: TrialProps) {
  const { id: destinationId, name, config } = destination
  const { change } = useDestinations()
  const test = trpc.destinations.test.useMutation()
  const { mutate } = test
  useEffect(() => mutate({ id, destinationId }), [mutate, id, destinationId])
  const hostKeys = config?.transfer?.hostKeys ?? []
  const isPending = test.isPending || change.isPending
  return (
    <Stack gap="md">
      <div>
        <bdi>{name}</bdi> gets a small file, which is taken away again where that is possible.
      </div>
      <TrialResult
        isPending={isPending}
        trial={test.error ? { isOk: false, text: errorMessage(test.error) } : test.data}
        hostKeys={hostKeys}
        onConfirmKey={(shown) =>
          config &&
          change.mutate(
            {
              id,
              destinationId,
              config: { url: config.url, transfer: { hostKeys: withConfirmed(hostKeys, shown) } },
            },
            { onSuccess: () => mutate({ id, destinationId }) },
          )
        }
      />
      <DialogActions>
        <PendingButton
          variant="default"
          isPending={isPending}
          onClick={() => mutate({ id, destinationId })}
        >
          Test again
        </PendingButton>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Stack>
  )
}
