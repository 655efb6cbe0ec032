import { lazyDialog } from '../../components/dialog/lazy-dialog'

const loadDialogs = () => import('./publication-dialogs')

export const PublishDialog = lazyDialog(async () => (await loadDialogs()).PublishDialog)
export const DiscardVersionDialog = lazyDialog(
  async () => (await loadDialogs()).DiscardVersionDialog,
)
