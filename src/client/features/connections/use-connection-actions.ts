import type { Connection } from '../../../shared/schemas/connection'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** Saves changed settings of a connection. */
export function useUpdateConnection(onSaved?: () => void) {
  const utils = trpc.useUtils()
  return trpc.connections.update.useMutation({
    onSuccess: async () => {
      showSuccess('Connection updated successfully')
      onSaved?.()
      void utils.columnPolicy.invalidate()
      await utils.connections.list.invalidate()
    },
    onError: (error) => showFailure(error, 'Failed to update connection'),
  })
}

/** The actions of the connections table: activate or deactivate, and Sync now. */
export function useConnectionActions() {
  const utils = trpc.useUtils()
  const update = useUpdateConnection()
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
