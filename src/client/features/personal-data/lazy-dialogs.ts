import { lazyDialog } from '../../components/dialog/lazy-dialog'

const loadDialogs = () => import('./delete-account-dialog')

export const DeleteAccountDialog = lazyDialog(async () => (await loadDialogs()).DeleteAccountDialog)
export const DeleteSupplierDialog = lazyDialog(
  async () => (await loadDialogs()).DeleteSupplierDialog,
)
