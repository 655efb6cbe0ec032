import { lazyDialog } from '../../components/dialog/lazy-dialog'

export const AddPasskeyDialog = lazyDialog(
  async () => (await import('./add-passkey-dialog')).AddPasskeyDialog,
)
export const RenamePasskeyDialog = lazyDialog(
  async () => (await import('./rename-passkey-dialog')).RenamePasskeyDialog,
)
