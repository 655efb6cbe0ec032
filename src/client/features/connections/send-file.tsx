import { Alert, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'

import type { ReceivedFile } from '../../../shared/schemas/received-file'
import { ProgressBar } from '../../components/feedback/progress-bar'
import { FileDrop } from '../../components/form/file-drop'
import { SendingHelp } from '../../components/form/sending-help'
import { FullFileCheckbox } from './full-file-checkbox'
import { useSendFile } from './use-send-file'

import classes from './received-files.module.css'

interface SendFileProps {
  /** Where the file is sent. */
  address: string
  isDisabled?: boolean
  /** Whether it may be one that has only what has changed. */
  takesUpdates: boolean
  onSent: (file: ReceivedFile) => void
}

/** Sends a file as soon as it is dropped or chosen, and shows how far that is. */
export function SendFile({ address, isDisabled = false, takesUpdates, onSent }: SendFileProps) {
  const [isFull, setFull] = useState(false)
  const { sending, failure, send } = useSendFile(address, {
    isFull,
    onSent(file) {
      setFull(false)
      onSent(file)
    },
  })
  return (
    <Stack gap={12}>
      {takesUpdates && <FullFileCheckbox isFull={isFull} onChange={setFull} />}
      <FileDrop
        label="Send a file"
        isDisabled={isDisabled || sending !== null}
        onFile={(file) => void send(file)}
      />
      <SendingHelp />
      <output className={classes.sending}>
        {sending && (
          <>
            <span>
              {sending.share < 1 ? 'Sending' : 'Storing'} <bdi>{sending.name}</bdi>
            </span>
            <ProgressBar label={`Sending ${sending.name}`} share={sending.share} />
          </>
        )}
      </output>
      {failure && (
        <Alert color="red" icon={<IconAlertTriangle size={18} />} title="The file was not taken">
          {failure}
        </Alert>
      )}
    </Stack>
  )
}
