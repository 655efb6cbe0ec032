import { VisuallyHidden } from '@mantine/core'

import type { Destination, DestinationList as List } from '../../../shared/schemas/destination'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { DestinationRow } from './destination-row'
import { STATE_WORDS } from './destination-words'
import type { SentFile } from './sent-file'
import { useDestinations } from './use-destinations'

import classes from './destinations.module.css'

const TrialDialog = lazyDialog(async () => (await import('./trial-dialog')).TrialDialog)

interface DestinationListProps {
  file: SentFile
  list: List
  mayChange: boolean
  onEdit: (destination: Destination) => void
}

/** The destinations of a file, how each is, and what can be done with it; changes are announced. */
export function DestinationList({ file, list, mayChange, onEdit }: DestinationListProps) {
  const { of, sendNow, change, remove } = useDestinations(file)
  const trial = useDialogSubject<Destination>()
  const deletion = useDialogSubject<Destination>()
  return (
    <>
      <VisuallyHidden component="output">
        {list.destinations.map(({ name, state }) => `${name}: ${STATE_WORDS[state]}`).join('. ')}
      </VisuallyHidden>
      <ul className={classes.list} aria-label="Destinations">
        {list.destinations.map((destination) => {
          const place = { ...of, destinationId: destination.id }
          return (
            <DestinationRow
              key={destination.id}
              destination={destination}
              list={list}
              calls={
                mayChange
                  ? {
                      isSending:
                        sendNow.isPending && sendNow.variables.destinationId === destination.id,
                      onTest: () => trial.open(destination),
                      onSend: () => sendNow.mutate(place),
                      onEdit: () => onEdit(destination),
                      onSwitch: () => change.mutate({ ...place, isActive: !destination.isActive }),
                      onDelete: () => deletion.open(destination),
                    }
                  : undefined
              }
            />
          )
        })}
      </ul>
      <TrialDialog
        isOpen={trial.isOpen}
        onClose={trial.close}
        file={file}
        destination={trial.subject}
      />
      <ConfirmDialog
        isOpen={deletion.isOpen}
        onClose={deletion.close}
        title="Delete the destination"
        confirmLabel="Delete"
        isPending={remove.isPending}
        onConfirm={() =>
          deletion.subject &&
          remove.mutate(
            { ...of, destinationId: deletion.subject.id },
            { onSuccess: deletion.close },
          )
        }
      >
        Nothing more is sent to <bdi>{deletion.subject?.name}</bdi>, and what opens it is forgotten.
        A file that is on its way may still arrive. Files that were sent stay there, and its
        deliveries stay in the list.
      </ConfirmDialog>
    </>
  )
}
