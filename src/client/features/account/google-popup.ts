import { randomId } from '@mantine/hooks'

import { GOOGLE_POPUP_CHANNEL } from '../../../shared/constants'
import type { GoogleIdentity, GooglePopupReport } from '../../../shared/schemas/user'

/** How long after the window has closed its report may still arrive. */
const CLOSED_DELAY_MS = 8_000
const LOOK_EVERY_MS = 500
const WIDTH = 480
const HEIGHT = 640

/** Said by a page that opens a window: whichever is open for another page is not wanted any more. */
type Opened = { attempt: string; opened: true }

type Listener = {
  onIdentity: (identity: GoogleIdentity) => void
  onFailure: (reason: string) => void
  /** A newer window took its place. */
  onReplaced: () => void
}

/**
 * Opens the identity provider's sign-in in a window of its own; call it while a click is handled.
 * The window reports over a channel, because the provider's pages may cut its ties to this one. That
 * looks as if it were closed; so a report that comes later still counts.
 * @returns what ends the sign-in without a word; null when the browser has blocked the window
 */
export function openGooglePopup(listener: Listener): (() => void) | null {
  const attempt = randomId('google-')
  const popup = window.open(
    `/api/auth/google/start?attempt=${attempt}`,
    attempt,
    `popup,width=${WIDTH},height=${HEIGHT},${placeInMiddle()}`,
  )
  if (!popup) return null
  popup.focus()
  const channel = new BroadcastChannel(GOOGLE_POPUP_CHANNEL)
  const stopWatching = watchClosed(popup, () =>
    listener.onFailure('The sign-in window was closed before the sign-in was finished.'),
  )
  function end() {
    stopWatching()
    channel.close()
    popup?.close()
  }
  channel.addEventListener('message', ({ data }: MessageEvent<GooglePopupReport | Opened>) => {
    if ('opened' in data) {
      end()
      listener.onReplaced()
    } else if (data.attempt === attempt) {
      end()
      if ('identity' in data) listener.onIdentity(data.identity)
      else listener.onFailure(data.error)
    }
  })
  const opened: Opened = { attempt, opened: true }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  channel.postMessage(opened)
  return end
}

function placeInMiddle(): string {
  const left = window.screenX + Math.max(0, (window.outerWidth - WIDTH) / 2)
  const top = window.screenY + Math.max(0, (window.outerHeight - HEIGHT) / 2)
  return `left=${Math.round(left)},top=${Math.round(top)}`
}

/** No event tells that a window has closed. Calls back once, some time after it has. */
function watchClosed(popup: Window, onClosed: () => void): () => void {
  let timer = window.setInterval(() => {
    if (!popup.closed) return
    window.clearInterval(timer)
    timer = window.setTimeout(onClosed, CLOSED_DELAY_MS)
  }, LOOK_EVERY_MS)
  // An interval and a timeout are ended alike.
  return () => window.clearTimeout(timer)
}
