import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

import { Refusal } from './render-app'

/** What the server says of each field that it refuses. */
export const aboutField = (path: string) => `Not this ${path}`

/** Refuses a call for what stands at these paths of its input. */
export function refuseFields(paths: readonly string[]) {
  return () => {
    const messages = Object.fromEntries(paths.map((path) => [path, aboutField(path)]))
    throw new Refusal(400, 'Not like this', messages)
  }
}

/** The control that a form calls by this name. */
export function findControl(label: string): HTMLElement {
  const control = screen
    .getAllByLabelText(label)
    .find((element) => element.hasAttribute('data-path'))
  if (!control) throw new Error(`No field is called ${label}`)
  return control
}

/** What is said of a control, to those who see it and to those who hear it. */
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
