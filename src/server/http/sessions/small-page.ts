type SmallPage = {
  title: string
  /** HTML below the title. */
  content: string
  /** HTML that is added to the head. */
  head?: string
  /** Attributes of the body. */
  attributes?: string
}

/** An attribute of what loads or opens an address. */
export const NO_REFERRER = 'referrerpolicy="no-referrer"'

/** Of such a page: allows its own style, icon and form, and nothing else. */
export const SMALL_PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';')

/**
 * A page of one message, without the client and its script. Its address may be a secret, which what it
 * loads and links to must not name as the referrer: proxies log that.
 */
export function renderSmallPage({ title, content, head = '', attributes = '' }: SmallPage): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" ${NO_REFERRER} />
    <link rel="stylesheet" href="/small-page.css" ${NO_REFERRER} />
    ${head}
  </head>
  <body ${attributes}>
    <main>
      <img src="/favicon.svg" alt="" width="40" height="40" ${NO_REFERRER} />
      <h1>${escapeHtml(title)}</h1>
      ${content}
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

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
