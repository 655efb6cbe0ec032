import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** The decisions on a connection's stored files. */
export function usePublication(onDone?: () => void) {
  const utils = trpc.useUtils()
  const decided = async ({ message }: { message: string }) => {
    showSuccess(message)
    onDone?.()
    await Promise.all([
      utils.publishing.versions.invalidate(),
      utils.connections.invalidate(),
      utils.timeline.invalidate(),
      utils.columnPolicy.invalidate(),
    ])
  }
  const failed = (what: string) => ({
    onSuccess: decided,
    onError: (error: unknown) => showFailure(error, what),
  })
  return {
    publish: trpc.publishing.publish.useMutation(failed('The file could not be published')),
    discard: trpc.publishing.discard.useMutation(failed('The file could not be discarded')),
    pin: trpc.publishing.pin.useMutation(failed('The file could not be pinned')),
  }
}
