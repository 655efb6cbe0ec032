/** A link by which a service shows a file to people, and the address at which it hands the file itself over. */
export type ShareLink = { service: string; fileUrl: string }

type Rewrite = (url: URL) => string | undefined

const PAGES_OF_SHEETS = new Set(['', 'edit', 'view', 'preview', 'htmlview', 'copy'])

/** The tab that is open, as CSV: `/spreadsheets/d/ID/edit#gid=7`, or one that was published: `/spreadsheets/d/e/ID/pubhtml`. */
const rewriteSheets: Rewrite = (url) => {
  const [, book, page = ''] =
    /^((?:\/a\/[^/]{1,200})?\/spreadsheets(?:\/u\/\d{1,3})?\/d\/(?:e\/)?[\w-]{10,200})(?:\/([a-z]{0,20}))?\/?$/.exec(
      url.pathname,
    ) ?? []
  if (book === undefined) return undefined
  const isPublished = /\/d\/e\/[^/]+$/.test(book)
  if (isPublished && page === 'pub' && url.searchParams.has('output')) return undefined
  if (!isPublished && !PAGES_OF_SHEETS.has(page)) return undefined
  const gid = /(?:^#|&)gid=(\d{1,20})/.exec(url.hash)?.[1] ?? url.searchParams.get('gid')
  const wanted = new URL(url.origin)
  wanted.pathname = `${book}/${isPublished ? 'pub' : 'export'}`
  wanted.searchParams.set(isPublished ? 'output' : 'format', 'csv')
  if (gid !== null) wanted.searchParams.set('gid', gid)
  if (gid !== null && isPublished) wanted.searchParams.set('single', 'true')
  copyParameter(url, wanted, 'resourcekey')
  return wanted.href
}

const rewriteDrive: Rewrite = (url) => {
  const [, inPath] = /^\/file(?:\/u\/\d{1,3})?\/d\/([\w-]{10,200})(?:\/|$)/.exec(url.pathname) ?? []
  const id = inPath ?? (url.pathname === '/open' ? url.searchParams.get('id') : null)
  if (id === null) return undefined
  const wanted = new URL('/uc', url.origin)
  wanted.searchParams.set('export', 'download')
  wanted.searchParams.set('id', id)
  copyParameter(url, wanted, 'resourcekey')
  return wanted.href
}

const rewriteDropbox: Rewrite = (url) => {
  const isShared = /^\/(?:s|sh|scl\/fi|scl\/fo)\//.test(url.pathname)
  const isFile = url.searchParams.get('raw') === '1' || url.searchParams.get('dl') === '1'
  if (!isShared || isFile) return undefined
  const wanted = withoutFragment(url)
  wanted.searchParams.set('dl', '1')
  return wanted.href
}

/** `/OWNER/REPOSITORY/blob/BRANCH/PATH`. */
const rewriteGitHub: Rewrite = (url) => {
  const [, repository, path] = /^(\/[^/]+\/[^/]+)\/blob(\/.+)$/.exec(url.pathname) ?? []
  return path === undefined ? undefined : new URL(`${repository}/raw${path}`, url.origin).href
}

const rewriteGist: Rewrite = (url) =>
  /^\/[^/]+\/[\da-f]{20,64}\/?$/.test(url.pathname)
    ? new URL(`${url.pathname.replace(/\/$/, '')}/raw`, url.origin).href
    : undefined

/** `/GROUP/PROJECT/-/blob/BRANCH/PATH`, at any host: many have a GitLab of their own. */
const rewriteGitLab: Rewrite = (url) => {
  const [before = '', after] = url.pathname.split('/-/blob/', 2)
  if (!before || !after) return undefined
  const wanted = new URL(url.origin)
  wanted.pathname = `${before}/-/raw/${after}`
  copyParameter(url, wanted, 'ref_type')
  return wanted.href
}

function withoutFragment(url: URL): URL {
  const wanted = new URL(url)
  wanted.hash = ''
  return wanted
}

function copyParameter(from: URL, to: URL, name: string): void {
  const value = from.searchParams.get(name)
  if (value !== null) to.searchParams.set(name, value)
}

const SERVICES: Readonly<Record<string, [service: string, rewrite: Rewrite]>> = {
  'docs.google.com': ['Google Sheets', rewriteSheets],
  'drive.google.com': ['Google Drive', rewriteDrive],
  'dropbox.com': ['Dropbox', rewriteDropbox],
  'www.dropbox.com': ['Dropbox', rewriteDropbox],
  'github.com': ['GitHub', rewriteGitHub],
  'gist.github.com': ['GitHub', rewriteGist],
}

/**
 * Reads an address as a link by which a service shows a file; undefined for all others, and for those at which it hands
 * the file over. The address of the file is at the same host.
 * @param address that can be parsed
 */
export function readShareLink(address: string): ShareLink | undefined {
  const url = new URL(address)
  const known = Object.hasOwn(SERVICES, url.host) ? SERVICES[url.host] : undefined
  const [service, rewrite] = known ?? ['GitLab', rewriteGitLab]
  const fileUrl = rewrite(url)
  return fileUrl === undefined ? undefined : { service, fileUrl }
}

/** The address at which the file of a source is fetched: that of the file, where a service only shows it at the one given. */
export const toFileUrl = (address: string): string => readShareLink(address)?.fileUrl ?? address

/** Whether an address is a link of OneDrive or SharePoint, which hand files over only to those who are signed in there. */
export function needsSignInElsewhere(address: string): boolean {
  const { hostname, pathname, searchParams } = new URL(address)
  if (hostname === '1drv.ms') return true
  if (hostname === 'onedrive.live.com') return !pathname.startsWith('/download')
  const isSharePoint = hostname.endsWith('.sharepoint.com') && /^\/:[a-z]:\//.test(pathname)
  return isSharePoint && searchParams.get('download') !== '1'
}
