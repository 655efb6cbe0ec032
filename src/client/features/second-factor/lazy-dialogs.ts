import { lazyDialog } from '../../components/dialog/lazy-dialog'

const loadProofDialogs = () => import('./proof-dialogs')

export const TurnOnDialog = lazyDialog(async () => (await import('./turn-on-dialog')).TurnOnDialog)
export const TurnOffDialog = lazyDialog(async () => (await loadProofDialogs()).TurnOffDialog)
export const RenewCodesDialog = lazyDialog(async () => (await loadProofDialogs()).RenewCodesDialog)
