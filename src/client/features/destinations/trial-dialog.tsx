import { Button, Modal, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'

import type { Destination } from '../../../shared/schemas/destination'
import { DialogActions } from '../../components/dialog/dialog-actions'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { PendingButton } from '../../components/feedback/pending-button'
import { withConfirmed } from '../../lib/confirmed-keys'
import { errorMessage } from '../../lib/error-message'
import { toMutation, useDestinationCalls, type SentFile } from './sent-file'
import { TrialResult } from './trial-result'
import { useDestinations } from './use-destinations'

interface TrialDialogProps extends DialogProps {
  file: SentFile
  destination: Destination | null
}

/** Tries a saved destination with a small file. */
export function TrialDialog({ isOpen, onClose, file, destination }: TrialDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Test of the destination">
      {destination && (
        <Trial key={destination.id} file={file} destination={destination} onClose={onClose} />
      )}
    </Modal>
  )
}

interface TrialProps {
  file: SentFile
  destination: Destination
  onClose: () => void
}

function Trial({ file, destination, onClose }: TrialProps) {
  const { id: destinationId, name, config } = destination
  const { change } = useDestinations(file)
  const { calls, of } = useDestinationCalls(file)
  const test = useMutation({ mutationFn: toMutation(calls.test) })
  const run = () => test.mutate({ ...of, destinationId })
  const runFirst = useEffectEvent(run)
  useEffect(() => runFirst(), [])
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
              ...of,
              destinationId,
              config: { url: config.url, transfer: { hostKeys: withConfirmed(hostKeys, shown) } },
            },
            { onSuccess: run },
          )
        }
      />
      <DialogActions>
        <PendingButton variant="default" isPending={isPending} onClick={run}>
          Test again
        </PendingButton>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Stack>
  )
}
