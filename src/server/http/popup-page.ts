import { GOOGLE_POPUP_CHANNEL } from '../../shared/constants'
import type { GooglePopupReport } from '../../shared/schemas/user'

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
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/google-popup.css" />
    <script src="/google-popup.js" defer></script>
  </head>
  <body data-channel="${GOOGLE_POPUP_CHANNEL}" data-report="${escapeHtml(JSON.stringify(report))}">
    <main>
      <img src="/favicon.svg" alt="" width="40" height="40" />
      <h1>${title}</h1>
      <p>${escapeHtml(text)}</p>
      <p><small>You can close this window.</small></p>
    </main>
  </body>
</html>
`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
