/** What is known of a link by which people share a file at a service. */
export interface ShareLink {
  /** Where the file is, at the same origin; the link itself if it is that already, or if there is none. */
  fileUrl: string
  /** Why its file cannot be fetched by anybody but people, and what to do; undefined if it can. */
  refusal?: string
  /** What it means that a page comes instead of the file. */
  pageMeaning: string
}

const WITHOUT_FILE = 'send the file by the upload link, or enter the address of a CSV or ZIP file'

const DRIVE_PAGE =
  'Drive shows a page for files above some 20 MB, and for those that are not shared with everybody who has the link. Share it so, publish a larger file at another address, or send it by the upload link.'
const SHEETS_PAGE =
  'Google shows a page instead of the sheet: share it with everybody who has the link, or publish it to the web as CSV and enter that link.'
const DROPBOX_PAGE =
  'Dropbox shows a page instead of the file: see that the link is still shared, without a password.'
const GITHUB_PAGE =
  'GitHub shows a page instead of the file: enter the link of a file that everybody may see.'
const GITLAB_PAGE =
  'GitLab shows a page instead of the file: the project is not public. Enter the address of the file in its API (/api/v4/projects/…/raw), with a token as the header PRIVATE-TOKEN.'
const DRIVE_FOLDER = `This is a folder of Google Drive. Enter the link of a file in it, or ${WITHOUT_FILE}.`
const ONEDRIVE = `Links of OneDrive and SharePoint need a sign-in, which only people can do. Instead, ${WITHOUT_FILE}.`

const SERVICES: { isAt: (url: URL) => boolean; read: (url: URL) => ShareLink | undefined }[] = [
  { isAt: ({ hostname }) => hostname === 'docs.google.com', read: readSheets },
  { isAt: ({ hostname }) => hostname === 'drive.google.com', read: readDrive },
  { isAt: ({ hostname }) => isWithOrWithoutWww(hostname, 'dropbox.com'), read: readDropbox },
  { isAt: ({ hostname }) => isWithOrWithoutWww(hostname, 'github.com'), read: readGitHub },
  { isAt: isOneDrive, read: (url) => ({ fileUrl: url.href, refusal: ONEDRIVE, pageMeaning: '' }) },
]

/**
 * Recognises a link by which people share a file at Google, Dropbox, GitHub, GitLab or OneDrive, and says where the
 * file itself is. Undefined for every other address.
 */
export function readShareLink(address: string): ShareLink | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  const service = url.port === '' ? SERVICES.find(({ isAt }) => isAt(url)) : undefined
  return service ? service.read(url) : readGitLab(url)
}

/** Where the file of a link is that leads to a page; undefined for every other address. */
export function findFileUrl(address: string): string | undefined {
  const link = readShareLink(address)
  if (!link || link.refusal !== undefined) return undefined
  return link.fileUrl === new URL(address).href ? undefined : link.fileUrl
}

const isWithOrWithoutWww = (hostname: string, domain: string) =>
  hostname === domain || hostname === `www.${domain}`

/** `/spreadsheets/d/ID/edit`, also of a chosen account (`/u/0`) or a company (`/a/company.example`). */
const SHEET = /^((?:\/a\/[^/]+)?\/spreadsheets(?:\/u\/\d+)?\/d\/)([^/]+)(?:\/([^/]*))?\/?$/
/** `/spreadsheets/d/e/ID/pubhtml`, of a sheet that is published to the web. */
const PUBLISHED_SHEET = /^((?:\/a\/[^/]+)?\/spreadsheets(?:\/u\/\d+)?\/d\/e\/[^/]+)\/pub(html)?\/?$/
const SHEET_PAGES = new Set(['', 'edit', 'view', 'copy', 'preview', 'htmlview', 'htmlembed'])
const SHEET_FILES = new Set(['csv', 'tsv', 'xlsx', 'ods'])

function readSheets(url: URL): ShareLink | undefined {
  const published = PUBLISHED_SHEET.exec(url.pathname)
  if (published) return readPublished(url, published)
  const [, start, id, page = ''] = SHEET.exec(url.pathname) ?? []
  if (start === undefined || id === undefined || id === 'e') return undefined
  if (!SHEET_PAGES.has(page)) return unchanged(url, SHEETS_PAGE)
  const query = [['format', 'csv'], ...entry('gid', tabOf(url)), ...resourceKey(url)]
  return { fileUrl: at(url, `${start}${id}/export`, query), pageMeaning: SHEETS_PAGE }
}

function readPublished(url: URL, [, start = '', isPage]: RegExpExecArray): ShareLink {
  const output = url.searchParams.get('output') ?? ''
  if (!isPage && SHEET_FILES.has(output)) return unchanged(url, SHEETS_PAGE)
  const tab = tabOf(url)
  // Without `single`, the first tab is sent whichever is named.
  const query = tab === null ? [] : [...entry('gid', tab), ['single', 'true']]
  return {
    fileUrl: at(url, `${start}/pub`, [...query, ['output', 'csv']]),
    pageMeaning: SHEETS_PAGE,
  }
}

/** The tab that is shown: the fragment changes with it, the query need not. */
function tabOf({ hash, searchParams }: URL): string | null {
  const tab = new URLSearchParams(hash.slice(1)).get('gid') ?? searchParams.get('gid')
  return tab !== null && /^\d{1,20}$/.test(tab) ? tab : null
}

const DRIVE_FILE = /^(?:\/a\/[^/]+)?\/file(?:\/u\/\d+)?\/d\/([^/]+)(?:\/[^/]*)?\/?$/

function readDrive(url: URL): ShareLink | undefined {
  if (/^\/drive(?:\/u\/\d+)?\/folders\//.test(url.pathname)) {
    return { ...unchanged(url, DRIVE_PAGE), refusal: DRIVE_FOLDER }
  }
  const named = /^(?:\/u\/\d+)?\/(?:open|uc)$/.test(url.pathname)
  const id = named ? url.searchParams.get('id') : DRIVE_FILE.exec(url.pathname)?.[1]
  if (!id) return undefined
  if (named && url.searchParams.get('export') === 'download') return unchanged(url, DRIVE_PAGE)
  const query = [['export', 'download'], ['id', id], ...resourceKey(url)]
  return { fileUrl: at(url, '/uc', query), pageMeaning: DRIVE_PAGE }
}

/** Files, and folders, which are sent as a ZIP archive. */
const DROPBOX_LINK = /^\/(?:s|sh|scl\/fi|scl\/fo)\/[^/]+/

function readDropbox(url: URL): ShareLink | undefined {
  if (!DROPBOX_LINK.test(url.pathname)) return undefined
  const { searchParams } = url
  if (searchParams.get('raw') === '1' || searchParams.get('dl') === '1') {
    return unchanged(url, DROPBOX_PAGE)
  }
  const query = [...searchParams].filter(([name]) => name !== 'dl')
  return {
    fileUrl: at(url, url.pathname, [...query, ['dl', '1']]),
    pageMeaning: DROPBOX_PAGE,
  }
}

function readGitHub(url: URL): ShareLink | undefined {
  const [, owner, repository, kind, ...rest] = url.pathname.split('/')
  if (!owner || !repository || rest.length < 2) return undefined
  if (kind === 'raw') return unchanged(url, GITHUB_PAGE)
  if (kind !== 'blob') return undefined
  const path = ['', owner, repository, 'raw', ...rest].join('/')
  return { fileUrl: at(url, path, []), pageMeaning: GITHUB_PAGE }
}

/** GitLab has hosts of its own everywhere: its paths tell. */
function readGitLab(url: URL): ShareLink | undefined {
  const [project = '', ...rest] = url.pathname.split('/-/')
  const [kind, branch, ...file] = rest.join('/-/').split('/')
  if (project.split('/').length < 3 || !branch || !file.join('')) return undefined
  if (kind === 'raw') return unchanged(url, GITLAB_PAGE)
  if (kind !== 'blob') return undefined
  const path = [`${project}/-/raw`, branch, ...file].join('/')
  const query = [...url.searchParams].filter(([name]) => name === 'ref_type')
  return { fileUrl: at(url, path, query), pageMeaning: GITLAB_PAGE }
}

const ONEDRIVE_HOSTS = new Set(['1drv.ms', 'onedrive.live.com'])
const SHAREPOINT_HOST = /^[^.]+\.sharepoint\.(?:com|us|cn)$/
/** `/:x:/g/personal/…`, or the page that shows a file. */
const SHAREPOINT_LINK = /^\/:[a-z]:\/|\/_layouts\/15\/(?:doc|onedrive|guestaccess)\.aspx$/i

function isOneDrive({ hostname, pathname, searchParams }: URL): boolean {
  const isDownload = pathname === '/download' || searchParams.get('download') === '1'
  if (isDownload) return false
  const isLink = SHAREPOINT_HOST.test(hostname) && SHAREPOINT_LINK.test(pathname)
  return isLink || ONEDRIVE_HOSTS.has(hostname)
}

const unchanged = ({ href }: URL, pageMeaning: string): ShareLink => ({
  fileUrl: href,
  pageMeaning,
})

/** An address at the same origin. */
function at({ origin }: URL, path: string, query: string[][]): string {
  const search = new URLSearchParams(query).toString()
  return origin + path + (search && `?${search}`)
}

const entry = (name: string, value: string | null) => (value === null ? [] : [[name, value]])

/** What older files of Google ask for besides their id. */
const resourceKey = ({ searchParams }: URL) => entry('resourcekey', searchParams.get('resourcekey'))
