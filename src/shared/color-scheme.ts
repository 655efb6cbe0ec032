/** Where a browser keeps the colours that its user has chosen. */
export const COLOR_SCHEME_KEY = 'stockbridge-color-scheme'

/**
 * Runs in the page of /auth before anything is painted: it is shown before the application, which sets the colours
 * otherwise. The policy for scripts names its hash.
 */
export const COLOR_SCHEME_SCRIPT = `{
  let scheme
  try { scheme = localStorage.getItem('${COLOR_SCHEME_KEY}') } catch {}
  if (scheme !== 'light' && scheme !== 'dark') {
    scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  }
  document.documentElement.dataset.mantineColorScheme = scheme
}`
