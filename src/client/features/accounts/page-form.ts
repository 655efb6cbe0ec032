import { createContext, useContext, useState } from 'react'

/** A sign-in with the form that the page had before the application was there. */
type RefusedSignIn = { username: string; error: Error }

/** For the page that the build writes; otherwise it is read from the page. */
export const RefusedSignInContext = createContext<RefusedSignIn | null>(null)

/** What the page says of a sign-in that was refused; null at first. */
export function useRefusedSignIn(): RefusedSignIn | null {
  const given = useContext(RefusedSignInContext)
  const [read] = useState(readRefused)
  return given ?? read
}

const findForm = () =>
  globalThis.document?.querySelector<HTMLFormElement>('#start form[method="post"]') ?? null

function readRefused(): RefusedSignIn | null {
  const form = findForm()
  const reason = form?.querySelector('[role="alert"] .mantine-Alert-message')?.textContent
  return form && reason ? { username: readTyped(form).username, error: new Error(reason) } : null
}

export type Typed = {
  values: { username: string; password: string }
  /** The field with the focus, and what is selected there. */
  focus: { name: string; range: [number | null, number | null] } | null
}

/** What has been typed into the form of the page so far. */
export function readTypedBefore(): Typed | null {
  const form = findForm()
  if (!form) return null
  const field = document.activeElement
  const hasFocus = field instanceof HTMLInputElement && form.contains(field)
  return {
    values: readTyped(form),
    focus: hasFocus
      ? { name: field.name, range: [field.selectionStart, field.selectionEnd] }
      : null,
  }
}

function readTyped(form: HTMLFormElement) {
  const data = new FormData(form)
  const textOf = (name: string) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
  return { username: textOf('username'), password: textOf('password') }
}
