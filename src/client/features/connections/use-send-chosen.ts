import type { Connection } from '../../../shared/schemas/connection'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import type { Choices } from './reading-choice'
import { useUpdateConnection } from './use-connection-actions'
import { addressOf, useSendFile } from './use-send-file'

/** Saves how a connection's files are read, if that was changed, and sends it a file. */
export function useSendChosen({ id, reading, categoryReading }: Connection, onSent: () => void) {
  const utils = trpc.useUtils()
  const update = useUpdateConnection()
  const { sending, send } = useSendFile(addressOf(id), () => {
    onSent()
    showSuccess('The file was sent')
    void utils.receivedFiles.list.invalidate({ id })
    void utils.connections.list.invalidate()
  })

  async function sendChosen(file: File, choices: Choices): Promise<void> {
    const isChanged = choices.reading !== reading || choices.categoryReading !== categoryReading
    try {
      if (isChanged) await update.mutateAsync({ id, ...choices })
      await send(file)
    } catch (error) {
      showFailure(error, 'The file could not be sent')
    }
  }

  return { sendChosen, isSending: update.isPending || sending !== null }
}
