import { fieldErrors } from './error-message'

/** The part of a @mantine/form form that is used here. */
interface FocusableForm {
  getInputNode: (path: string) => HTMLElement | null
  setErrors: (errors: Record<string, string>) => void
}

/** Focuses the first field with an error, in document order. */
export function focusFirstInvalid(form: FocusableForm, errors: Record<string, unknown>): void {
  const nodes = Object.keys(errors)
    .map((path) => form.getInputNode(path))
    .filter((node) => node !== null)
  nodes.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
  nodes[0]?.focus()
}

/** Shows the server's field errors under the form's fields and focuses the first of them. */
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

/** The field at `path`, or the closest ancestor: a list's field shows its items' errors. */
function findField(form: FocusableForm, path: string): string | undefined {
  if (form.getInputNode(path)) return path
  const end = path.lastIndexOf('.')
  return end < 0 ? undefined : findField(form, path.slice(0, end))
}
