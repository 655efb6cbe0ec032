import type { Connection } from '../../../shared/schemas/connection'
import { errorMessage } from '../../lib/error-message'
import { showError, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { useFollowSync } from './use-follow-sync'

/** The switch and Sync now of the connections table. */
export function useConnectionActions() {
  const utils = trpc.useUtils()
  const followSync = useFollowSync()
  const update = trpc.connections.update.useMutation({
    onSuccess: async () => {
      showSuccess('Connection updated successfully')
      await utils.connections.list.invalidate()
      followSync()
    },
    onError: (error) => showError(errorMessage(error, 'Failed to update connection')),
  })
  const sync = trpc.connections.sync.useMutation({
    onSuccess: async () => {
      await utils.connections.list.invalidate()
      followSync()
    },
    onError: (error) => showError(errorMessage(error, 'Failed to start the sync')),
  })
  return {
    followSync,
    savingId: update.isPending ? update.variables.id : undefined,
    syncingId: sync.isPending ? sync.variables.id : undefined,
    toggle: ({ id }: Connection, isActive: boolean) => update.mutate({ id, isActive }),
    sync: ({ id }: Connection) => sync.mutate({ id }),
  }
}
