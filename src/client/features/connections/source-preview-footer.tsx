import { Button, Group, Loader } from '@mantine/core'

import { PendingButton } from '../../components/pending-button'

import classes from './source-preview-dialog.module.css'

interface PreviewFooterProps {
  hasChanges: boolean
  /** The file is being read again. */
  isReading: boolean
  /** The file could be read with the current choices. */
  isUsable: boolean
  isSaving: boolean
  onUse: () => void
  onClose: () => void
}

export function PreviewFooter(props: PreviewFooterProps) {
  return (
    <div className={classes.footer}>
      {props.isReading ? (
        <output className={classes.state}>
          <Loader size="xs" aria-hidden="true" />
          Reading the file again …
        </output>
      ) : (
        <p className={classes.state}>
          {props.hasChanges && 'Your choices are kept when you use this file.'}
        </p>
      )}
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" onClick={props.onClose}>
          Close
        </Button>
        <PendingButton
          disabled={!props.isUsable}
          isPending={props.isSaving}
          onClick={() => props.isUsable && props.onUse()}
        >
          Use this file
        </PendingButton>
      </Group>
    </div>
  )
}
