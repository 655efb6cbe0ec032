import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** What can be done with the destinations of a retailer, besides adding and editing them. */
export function useDestinations() {
  const { destinations } = trpc.useUtils()
  const failing = (what: string) => ({ onError: (error: unknown) => showFailure(error, what) })
  return {
    sendNow: trpc.destinations.sendNow.useMutation({
      async onSuccess() {
        await destinations.invalidate()
        showSuccess('The newest file is being sent')
      },
      ...failing('The file could not be sent'),
    }),
    change: trpc.destinations.update.useMutation({
      onSuccess: () => destinations.invalidate(),
      ...failing('The destination could not be changed'),
    }),
    remove: trpc.destinations.delete.useMutation({
      async onSuccess() {
        await destinations.invalidate()
        showSuccess('Destination deleted')
      },
      ...failing('The destination could not be deleted'),
    }),
  }
}
