import { escapeHtml, renderSmallPage } from './small-page'

/** A page with a form for the code that a sign-in lacks, which works without scripts. */
export function renderCodePage(
  ticket: string,
  { query, reason }: { query: string; reason?: string },
) {
  const action = escapeHtml(query ? `/auth?${query}` : '/auth')
  const alert = reason === undefined ? '' : `<p role="alert">${escapeHtml(reason)}</p>`
  return renderSmallPage({
    title: 'Enter your code',
    content: `${alert}
      <p id="hint">Of your authenticator app, or one of your recovery codes.</p>
      <form method="post" action="${action}">
        <input type="hidden" name="ticket" value="${escapeHtml(ticket)}" />
        <input name="code" aria-label="Code" aria-describedby="hint" autocomplete="one-time-code"
          autocapitalize="none" spellcheck="false" required maxlength="100" autofocus />
        <button>Continue</button>
      </form>
      <p><a href="${action}">Back to login</a></p>`,
  })
}
