import { useState } from 'react'

import type { Destination, DestinationList } from '../../../shared/schemas/destination'
import { FormDialog } from '../../components/dialog/form-dialog'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { DestinationForm } from './destination-form'
import type { SentFile } from './sent-file'

interface DestinationDialogProps extends DialogProps {
  file: SentFile
  supplierName: string | null
  /** null to add one. */
  destination: Destination | null
  list: DestinationList | undefined
}

/** Adds or edits a destination. */
export function DestinationDialog({ isOpen, destination, list, ...props }: DestinationDialogProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={props.onClose}
      size="lg"
      title={destination ? 'Edit destination' : 'Add destination'}
    >
      {list && <Content {...props} destination={destination} list={list} />}
    </FormDialog>
  )
}

/** The list as it was when the dialog opened: what has been typed stays when it changes. */
function Content(
  props: Omit<DestinationDialogProps, 'isOpen' | 'list'> & { list: DestinationList },
) {
  const [list] = useState(props.list)
  const [destination] = useState(props.destination)
  return <DestinationForm {...props} list={list} destination={destination} />
}
