import { lazyDialog } from '../components/dialog/lazy-dialog'

export const ChangePasswordDialog = lazyDialog(
  async () => (await import('./change-password-dialog')).ChangePasswordDialog,
)
