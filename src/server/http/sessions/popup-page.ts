import { GOOGLE_POPUP_CHANNEL } from '../../../shared/constants'
import type { GooglePopupReport } from '../../../shared/schemas/user'
import { escapeHtml, renderSmallPage } from './small-page'

/** Allows the page's own script, style and icon, and nothing else. */
export const POPUP_PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';')

/**
 * The final page of the sign-in window. Its script, the client's `google-popup.js`, reports to the
 * page that opened the window and closes the window; if it cannot, the text says what to do.
 */
export function renderPopupPage(report: GooglePopupReport): string {
  const [title, text] =
    'error' in report
      ? ['Google sign-in failed', report.error]
      : ['Signing you in', 'Go on where you began.']
  return renderSmallPage({
    title,
    head: '<script src="/google-popup.js" defer></script>',
    attributes: `data-channel="${GOOGLE_POPUP_CHANNEL}" data-report="${escapeHtml(JSON.stringify(report))}"`,
    content: `<p>${escapeHtml(text)}</p>
      <p><small>You can close this window.</small></p>`,
  })
}
