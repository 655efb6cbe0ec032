import { useMutation } from '@tanstack/react-query'

import { showFailure, showSuccess } from '../../lib/toast'
import { toMutation, useDestinationCalls, type SentFile } from './sent-file'

/** What can be done with the destinations of a file, besides adding and editing them. */
export function useDestinations(file: SentFile) {
  const { calls, known, of } = useDestinationCalls(file)
  const failing = (what: string) => ({ onError: (error: unknown) => showFailure(error, what) })
  return {
    of,
    sendNow: useMutation({
      mutationFn: toMutation(calls.sendNow),
      async onSuccess() {
        await known.invalidate()
        showSuccess('The newest file is being sent')
      },
      ...failing('The file could not be sent'),
    }),
    change: useMutation({
      mutationFn: toMutation(calls.update),
      onSuccess: () => known.invalidate(),
      ...failing('The destination could not be changed'),
    }),
    remove: useMutation({
      mutationFn: toMutation(calls.delete),
      async onSuccess() {
        await known.invalidate()
        showSuccess('Destination deleted')
      },
      ...failing('The destination could not be deleted'),
    }),
  }
}
