import { errorMessage, errorStatus } from './error-message'

/** The part of a @mantine/form that is needed here. */
interface FocusableForm {
  getInputNode: (path: string) => HTMLElement | null
  setFieldError: (path: string, message: string) => void
}

/** Moves the focus to the first field that has a message, in the order of the form on the screen. */
export function focusFirstInvalid(form: FocusableForm, errors: Record<string, unknown>): void {
  const nodes = Object.keys(errors)
    .map((path) => form.getInputNode(path))
    .filter((node) => node !== null)
  nodes.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
  nodes[0]?.focus()
}

/**
 * Puts a refusal of the server under the field it speaks of, and focuses that field.
 * `fields` maps a field to the words by which a message is recognised; the first match wins.
 */
export function showServerFieldError(
  form: FocusableForm,
  error: unknown,
  fields: Record<string, RegExp>,
): void {
  const status = errorStatus(error)
  if (status !== 400 && status !== 409) return
  const message = errorMessage(error)
  const path = Object.keys(fields).find((field) => fields[field]?.test(message))
  if (!path) return
  form.setFieldError(path, message)
  form.getInputNode(path)?.focus()
}
