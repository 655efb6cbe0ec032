import { lazyDialog } from '../../components/dialog/lazy-dialog'

const loadDialogs = () => import('./supplier-dialog')

export const AddSupplierDialog = lazyDialog(async () => (await loadDialogs()).AddSupplierDialog)
export const EditSupplierDialog = lazyDialog(async () => (await loadDialogs()).EditSupplierDialog)
export const InviteSupplierDialog = lazyDialog(
  async () => (await import('./invite-supplier-dialog')).InviteSupplierDialog,
)
export const ResetPasswordDialog = lazyDialog(
  async () => (await import('./reset-password-dialog')).ResetPasswordDialog,
)
