import { lazyDialog } from '../../components/dialog/lazy-dialog'

export const ComparisonDialog = lazyDialog(
  async () => (await import('./comparison-dialog')).ComparisonDialog,
)
