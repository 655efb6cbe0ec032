import type { Connection } from '../../../shared/schemas/connection'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** The actions of the connections table: activate or deactivate, and Sync now. */
export function useConnectionActions() {
  const utils = trpc.useUtils()
  const update = trpc.connections.update.useMutation({
    onSuccess: async () => {
      showSuccess('Connection updated successfully')
      await utils.connections.list.invalidate()
    },
    onError: (error) => showFailure(error, 'Failed to update connection'),
  })
  const sync = trpc.connections.sync.useMutation({
    onSuccess: () => utils.connections.list.invalidate(),
    onError: (error) => showFailure(error, 'Failed to start the sync'),
  })
  return {
    savingId: update.isPending ? update.variables.id : undefined,
    syncingId: sync.isPending ? sync.variables.id : undefined,
    toggle: ({ id }: Connection, isActive: boolean) => update.mutate({ id, isActive }),
    sync: ({ id }: Connection) => sync.mutate({ id }),
  }
}
