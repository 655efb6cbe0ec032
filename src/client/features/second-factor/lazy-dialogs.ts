import { lazyDialog } from '../../components/dialog/lazy-dialog'

const loadProofDialogs = () => import('./proof-dialogs')

const loadTurnOn = () => import('./turn-on-dialog')

export const TurnOnDialog = lazyDialog(async () => (await loadTurnOn()).TurnOnDialog)
export const ReplaceDialog = lazyDialog(async () => (await loadTurnOn()).ReplaceDialog)
export const TurnOffDialog = lazyDialog(async () => (await loadProofDialogs()).TurnOffDialog)
export const RenewCodesDialog = lazyDialog(async () => (await loadProofDialogs()).RenewCodesDialog)
