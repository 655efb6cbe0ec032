import { lazyDialog } from '../../components/dialog/lazy-dialog'

export const CancelSyncDialog = lazyDialog(
  async () => (await import('./cancel-sync-dialog')).CancelSyncDialog,
)

export const FinishedRunsDialog = lazyDialog(
  async () => (await import('./finished-runs-dialog')).FinishedRunsDialog,
)
