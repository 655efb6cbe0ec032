import { createContext, useContext, useEffect } from 'react'

interface DialogForm {
  /** The dialog asks before it closes while its content has changes. */
  reportChanges: (hasChanges: boolean) => void
  /** Closes the dialog, or asks whether to discard its changes. */
  requestClose: () => void
}

/** Set by `FormDialog` for its content. */
export const DialogFormContext = createContext<DialogForm | null>(null)

/** Tells the surrounding dialog, if there is one, whether closing it would lose anything. */
export function useReportChanges(hasChanges: boolean): void {
  const reportChanges = useContext(DialogFormContext)?.reportChanges
  useEffect(() => {
    reportChanges?.(hasChanges)
    return () => reportChanges?.(false)
  }, [reportChanges, hasChanges])
}

/** Whether the component is in the content of a `FormDialog`. */
export const useIsInDialogForm = (): boolean => useContext(DialogFormContext) !== null

/** For a Cancel button. @throws Error outside a `FormDialog` */
export function useRequestClose(): () => void {
  const dialog = useContext(DialogFormContext)
  if (!dialog) throw new Error('useRequestClose is only for the content of a FormDialog')
  return dialog.requestClose
}
