import { useState } from 'react'

/** State of a dialog about one item. The item is kept after closing, while the dialog fades out. */
export function useDialogSubject<Subject>() {
  const [state, setState] = useState<{ isOpen: boolean; subject: Subject | null }>({
    isOpen: false,
    subject: null,
  })
  return {
    ...state,
    open: (subject: Subject) => setState({ isOpen: true, subject }),
    close: () => setState((current) => ({ ...current, isOpen: false })),
  }
}
