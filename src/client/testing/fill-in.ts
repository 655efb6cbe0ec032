import userEvent from '@testing-library/user-event'

/** Replaces the text of a field at once: typing renders a large form for each letter. */
export async function fillIn(field: HTMLElement, text: string): Promise<void> {
  await userEvent.click(field)
  await userEvent.clear(field)
  await userEvent.paste(text)
}
