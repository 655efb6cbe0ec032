import { useEffect, useRef } from 'react'

/** Fields that can be filled in; Mantine's selects are read-only inputs. */
const FIELD =
  ':is(input:not([readonly]), [aria-haspopup="listbox"], select, textarea):not(:disabled, [type="hidden"])'

/** For a form: its first field gets the focus when the form appears, if `isWanted`. */
export function useFirstField(isWanted: boolean) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const field = isWanted ? form.current?.querySelector<HTMLElement>(FIELD) : undefined
    if (!field) return
    const dialog = field.closest('[role="dialog"]')
    // A dialog that is just opening focuses this field itself, after noting where the focus was.
    field.setAttribute('data-autofocus', '')
    if (!dialog || dialog.contains(document.activeElement)) field.focus({ preventScroll: true })
  }, [isWanted])
  return form
}
