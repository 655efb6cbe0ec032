import { TOAST_DURATION_MS } from '../../shared/constants'
import { errorMessage } from './error-message'

export interface Toast {
  id: number
  kind: 'success' | 'destructive'
  title: string
  description?: string | undefined
  durationMs: number
}

let current: Toast | null = null
let lastId = 0
const listeners = new Set<() => void>()

/** Replaces the current toast: at most one is shown. */
function show(toast: Omit<Toast, 'id' | 'durationMs'>): void {
  lastId += 1
  current = { ...toast, id: lastId, durationMs: TOAST_DURATION_MS }
  for (const listener of listeners) listener()
}

export function showSuccess(description: string, title = 'Success'): void {
  show({ kind: 'success', title, description })
}

export function showError(description: string | undefined, title = 'Error'): void {
  show({ kind: 'destructive', title, description })
}

/** Says why a call failed; `fallback` when the server gave no reason. */
export function showFailure(error: unknown, fallback?: string): void {
  showError(errorMessage(error, fallback))
}

/** Dismisses the current toast; with an id, only if it is that toast. */
export function dismissToast(id?: number): void {
  if (!current || (id !== undefined && id !== current.id)) return
  current = null
  for (const listener of listeners) listener()
}

export function subscribeToToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function getToast(): Toast | null {
  return current
}
