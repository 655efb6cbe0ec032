import { MINUTE_MS } from '../../shared/durations'
import { UnreachableError } from './error-message'

const FIRST_RETRY_MS = 10_000
const LAST_RETRY_MS = 5 * MINUTE_MS

const OUTDATED = 'The application has been updated. Reload the page.'

/** Why a part of the application could not be loaded, for its user. */
export const explainCodeError = (error: unknown) =>
  error instanceof UnreachableError ? error.message : OUTDATED

export async function isServerReachable(): Promise<boolean> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store' })
    // The request ends only when its body has been read.
    await response.text()
    // A proxy answers for a server that is down.
    return response.ok
  } catch {
    return false
  }
}

/**
 * Calls back once when the server answers again: looks when the browser is back online, and every
 * ten seconds, because a network may also fail beyond this machine.
 * @param failedTries how often what is then done has failed although the server answered, such as a
 * call that a proxy ends: each doubles the ten seconds, up to five minutes
 * @returns a function that stops waiting
 */
export function whenReachable(onReachable: () => void, failedTries = 0): () => void {
  let isWaiting = true
  const delayMs = Math.min(FIRST_RETRY_MS * 2 ** failedTries, LAST_RETRY_MS)
  const timer = setInterval(() => void look(), delayMs)
  const handleOnline = () => void look()
  window.addEventListener('online', handleOnline)
  function stop() {
    isWaiting = false
    clearInterval(timer)
    window.removeEventListener('online', handleOnline)
  }
  async function look() {
    if (!(await isServerReachable()) || !isWaiting) return
    stop()
    onReachable()
  }
  return stop
}

/**
 * Loads a part of the application, once more if the server answers after it has failed. When the server
 * no longer has the file, the browser's error is left as it is: a newer version is installed, and the
 * router reloads the page.
 */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await loadWithStyles(load)
  } catch {
    if (!(await isServerReachable())) throw new UnreachableError()
  }
  return loadWithStyles(load)
}

/** Stylesheets that could not be loaded. The code that asks for them asks only once. */
const lostStyles = new Set<HTMLLinkElement>()
const isStyle = (target: EventTarget | null): target is HTMLLinkElement =>
  target instanceof HTMLLinkElement && target.rel === 'stylesheet'

// Such events do not bubble. /auth is also rendered where there is no document.
globalThis.document?.addEventListener(
  'error',
  ({ target }) => isStyle(target) && lostStyles.add(target),
  true,
)

async function loadWithStyles<Code>(load: () => Promise<Code>): Promise<Code> {
  await Promise.all([...lostStyles].map(loadAgain))
  return load()
}

function loadAgain(lost: HTMLLinkElement): Promise<void> {
  const link = lost.cloneNode() as HTMLLinkElement
  lostStyles.delete(lost)
  lost.replaceWith(link)
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`${link.href} could not be loaded`)))
  })
}
