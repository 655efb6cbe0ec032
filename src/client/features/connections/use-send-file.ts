import { useState } from 'react'

import type { ReceivedFile } from '../../../shared/schemas/received-file'
import { errorMessage } from '../../lib/error-message'
import { sendFile } from '../../lib/send-file'

interface Sending {
  name: string
  /** From 0 to 1. */
  share: number
}

interface SendOptions {
  /** Whether files are said to be full ones. */
  isFull: boolean
  onSent: (file: ReceivedFile) => void
}

/** Sends files to one address, one at a time. */
export function useSendFile(address: string, { isFull, onSent }: SendOptions) {
  const [sending, setSending] = useState<Sending | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  async function send(file: File): Promise<void> {
    const { name } = file
    setFailure(null)
    setSending({ name, share: 0 })
    try {
      onSent(
        await sendFile<ReceivedFile>(withName(address, file, isFull), file, {
          method: 'PUT',
          onProgress: (share) => setSending({ name, share }),
        }),
      )
    } catch (error) {
      setFailure(errorMessage(error, 'The file could not be sent'))
    } finally {
      setSending(null)
    }
  }

  return { sending, failure, send }
}

export const addressOf = (connectionId: number) => `/api/connections/${connectionId}/file`

export const withName = (address: string, { name }: File, isFull = false) =>
  `${address}?name=${encodeURIComponent(name)}${isFull ? '&full=true' : ''}`
