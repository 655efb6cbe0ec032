import { fieldErrors } from './error-message'

/** The part of a @mantine/form that is needed here. */
interface FocusableForm {
  getInputNode: (path: string) => HTMLElement | null
  setErrors: (errors: Record<string, string>) => void
}

/** Moves the focus to the first field that has a message, in the order of the form on the screen. */
export function focusFirstInvalid(form: FocusableForm, errors: Record<string, unknown>): void {
  const nodes = Object.keys(errors)
    .map((path) => form.getInputNode(path))
    .filter((node) => node !== null)
  nodes.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
  nodes[0]?.focus()
}

/** Puts what the server says of fields under those of the form, and focuses the first of them. */
export function showFieldErrors(form: FocusableForm, error: unknown): void {
  const errors: Record<string, string> = {}
  for (const [path, message] of Object.entries(fieldErrors(error))) {
    const field = findField(form, path)
    if (field !== undefined) errors[field] ??= message
  }
  if (Object.keys(errors).length === 0) return
  form.setErrors(errors)
  focusFirstInvalid(form, errors)
}

/** The field of a path, or else the one that it lies in: a list's field shows what its items lack. */
function findField(form: FocusableForm, path: string): string | undefined {
  if (form.getInputNode(path)) return path
  const end = path.lastIndexOf('.')
  return end < 0 ? undefined : findField(form, path.slice(0, end))
}
