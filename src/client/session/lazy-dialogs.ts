import { lazyDialog } from '../components/lazy-dialog'

export const ChangePasswordDialog = lazyDialog(
  async () => (await import('./change-password-dialog')).ChangePasswordDialog,
)
