import { randomId } from '@mantine/hooks'

import { GOOGLE_POPUP_CHANNEL } from '../../../shared/constants'
import type { GoogleIdentity, GooglePopupReport } from '../../../shared/schemas/user'

/** How long to wait for the window's report after the window has closed. */
const CLOSED_DELAY_MS = 8_000
const POLL_INTERVAL_MS = 500
const WIDTH = 480
const HEIGHT = 640

/** Sent by a page that opens a sign-in window; closes any window that another page has open. */
type Opened = { attempt: string; opened: true }

type Listener = {
  onIdentity: (identity: GoogleIdentity) => void
  onFailure: (reason: string) => void
  /** Another page has opened a newer window. */
  onReplaced: () => void
}

/**
 * Opens the identity provider's sign-in window. Call it in a click handler, or the browser blocks
 * the window. The window reports over a BroadcastChannel, because the provider's pages may sever
 * its link to this one. A severed window also looks closed, so a report is accepted for another
 * 8 seconds after the window seems to have closed.
 * @returns a function that cancels the sign-in without calling `listener`; null when blocked
 */
export function openGooglePopup(
  listener: Listener,
  { isConfirmation } = { isConfirmation: false },
): (() => void) | null {
  const attempt = randomId('google-')
  const popup = window.open(
    `/api/auth/google/start?attempt=${attempt}${isConfirmation ? '&confirms=' : ''}`,
    attempt,
    `popup,width=${WIDTH},height=${HEIGHT},${centerOnWindow()}`,
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

function centerOnWindow(): string {
  const left = window.screenX + Math.max(0, (window.outerWidth - WIDTH) / 2)
  const top = window.screenY + Math.max(0, (window.outerHeight - HEIGHT) / 2)
  return `left=${Math.round(left)},top=${Math.round(top)}`
}

/** Polls, as there is no event for a closed window, and calls back once after CLOSED_DELAY_MS. */
function watchClosed(popup: Window, onClosed: () => void): () => void {
  let timer = window.setInterval(() => {
    if (!popup.closed) return
    window.clearInterval(timer)
    timer = window.setTimeout(onClosed, CLOSED_DELAY_MS)
  }, POLL_INTERVAL_MS)
  // Also clears the interval: intervals and timeouts share their ids.
  return () => window.clearTimeout(timer)
}
