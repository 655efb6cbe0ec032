import { useMutation } from '@tanstack/react-query'

import type { Connection } from '../../../shared/schemas/connection'
import type { ReceivedFile } from '../../../shared/schemas/received-file'
import { sendFile } from '../../lib/send-file'
import { showFailure, showSuccess } from '../../lib/toast'
import type { Choices } from './reading-choice'
import { useUpdateConnection } from './use-connection-actions'
import { useRefreshReceived } from './use-refresh-received'
import { addressOf, withName } from './use-send-file'

/** Saves how a connection's files are read, if that was changed, and sends it a file. */
export function useSendChosen(
  { id, reading, categoryReading, columnRoles }: Connection,
  onSent: () => void,
) {
  const refresh = useRefreshReceived(id)
  const update = useUpdateConnection()
  const sending = useMutation({
    async mutationFn({ file, choices }: { file: File; choices: Choices }) {
      const isChanged =
        choices.reading !== reading ||
        choices.categoryReading !== categoryReading ||
        choices.columnRoles !== columnRoles
      if (isChanged) await update.mutateAsync({ id, ...choices })
      return sendFile<ReceivedFile>(withName(addressOf(id), file), file, { method: 'PUT' })
    },
    onSuccess() {
      onSent()
      showSuccess('The file was sent')
      return refresh()
    },
    onError: (error) => showFailure(error, 'The file could not be sent'),
  })
  return {
    sendChosen: (file: File, choices: Choices) => sending.mutate({ file, choices }),
    isSending: sending.isPending,
  }
}
