import { Button, Group, Loader } from '@mantine/core'

import { DialogActions } from '../../components/dialog/dialog-actions'
import { PendingButton } from '../../components/feedback/pending-button'
import { useRequestClose } from '../../lib/dialog-form'

import classes from './source-preview-dialog.module.css'

interface PreviewFooterProps {
  /** The file cannot be read with these choices; the reason itself may be out of view. */
  isUnreadable: boolean
  hasChanges: boolean
  /** The file is being read again. */
  isReading: boolean
  /** An archive has several files, of which none is chosen. */
  mustChoose: boolean
  /** The file could be read with the current choices, and would be by a sync. */
  isUsable: boolean
  isSaving: boolean
  useLabel?: string | undefined
  onUse: () => void
}

export function PreviewFooter(props: PreviewFooterProps) {
  const requestClose = useRequestClose()
  return (
    <DialogActions>
      {props.isReading ? (
        <output className={classes.state}>
          <Loader size="xs" aria-hidden="true" />
          Reading the file again …
        </output>
      ) : (
        <p className={classes.state}>{describeState(props)}</p>
      )}
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" onClick={requestClose}>
          Close
        </Button>
        <PendingButton
          disabled={!props.isUsable}
          isPending={props.isSaving}
          onClick={() => props.isUsable && props.onUse()}
        >
          {props.useLabel ?? 'Use this file'}
        </PendingButton>
      </Group>
    </DialogActions>
  )
}

function describeState({ isUnreadable, mustChoose, hasChanges }: PreviewFooterProps) {
  if (isUnreadable) return 'The file cannot be read like this.'
  if (mustChoose) return 'Choose the file in the archive first.'
  return hasChanges && 'Your choices are kept when you use this file.'
}
