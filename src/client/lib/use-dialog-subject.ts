import { useState } from 'react'

/** A dialog about one thing. The thing stays known while the dialog fades out. */
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
