import { lazyDialog } from '../../components/lazy-dialog'

export const CancelSyncDialog = lazyDialog(
  async () => (await import('./cancel-sync-dialog')).CancelSyncDialog,
)
