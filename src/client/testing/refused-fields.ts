import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

import { Refusal } from './render-app'

/** The server's message for the field at `path`. */
export const aboutField = (path: string) => `Not this ${path}`

/** An answer that fails with a 400 and field errors at these input paths. */
export function refuseFields(paths: readonly string[]) {
  return () => {
    const messages = Object.fromEntries(paths.map((path) => [path, aboutField(path)]))
    throw new Refusal(400, 'Not like this', messages)
  }
}

/** The form control with this label. */
export function findControl(label: string): HTMLElement {
  const control = screen
    .getAllByLabelText(label)
    .find((element) => element.hasAttribute('data-path'))
  if (!control) throw new Error(`No field has the label ${label}`)
  return control
}

/** The accessible description of a control, which contains its error. */
export function describeControl(label: string): string {
  const ids = findControl(label).getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
}

export async function fillIn(values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(values)) {
    await waitFor(() => findControl(label))
    await userEvent.clear(findControl(label))
    await userEvent.paste(text)
  }
}
