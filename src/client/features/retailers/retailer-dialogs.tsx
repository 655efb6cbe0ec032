import type { ListedRetailer } from '../../../shared/schemas/retailer'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { useDialogSubject } from '../../lib/use-dialog-subject'

const BulkSettingsDialog = lazyDialog(
  async () => (await import('./bulk-settings-dialog')).BulkSettingsDialog,
)

const EditRetailerDialog = lazyDialog(
  async () => (await import('./edit-retailer-dialog')).EditRetailerDialog,
)

const RetailerSettingsDialog = lazyDialog(
  async () => (await import('./retailer-settings-dialog')).RetailerSettingsDialog,
)

const DeleteRetailerDialog = lazyDialog(
  async () => (await import('./delete-retailer-dialog')).DeleteRetailerDialog,
)

export function useRetailerDialogs() {
  return {
    bulk: useDialogSubject<number[]>(),
    edit: useDialogSubject<ListedRetailer>(),
    settings: useDialogSubject<ListedRetailer>(),
    remove: useDialogSubject<ListedRetailer>(),
  }
}

interface RetailerDialogsProps extends ReturnType<typeof useRetailerDialogs> {
  onSavedSeveral: () => void
  onDeleted: (id: number) => void
}

/** The dialogs about rows of the list. */
export function RetailerDialogs({ bulk, edit, settings, remove, ...props }: RetailerDialogsProps) {
  return (
    <>
      <BulkSettingsDialog
        isOpen={bulk.isOpen}
        ids={bulk.subject ?? []}
        onClose={bulk.close}
        onSaved={() => {
          bulk.close()
          props.onSavedSeveral()
        }}
      />
      <EditRetailerDialog isOpen={edit.isOpen} retailer={edit.subject} onClose={edit.close} />
      <RetailerSettingsDialog
        isOpen={settings.isOpen}
        retailer={settings.subject}
        onClose={settings.close}
      />
      <DeleteRetailerDialog
        isOpen={remove.isOpen}
        retailer={remove.subject}
        onClose={remove.close}
        onDeleted={props.onDeleted}
      />
    </>
  )
}
