// Which files the client's code is built into: few, because over HTTP/1.1 each one costs a page about as much
// as ten kilobytes do.
import { join } from 'node:path'

/** @param {string[]} names */
const pages = (...names) => names.map((name) => `pages/${name}.page.tsx`)

/**
 * The modules that are loaded together: the pages of each role, pages that are opened second, and parts that a page
 * loads after it is shown.
 */
export const GROUPS = {
  'role-administrator': pages(
    'home',
    'super-admin-dashboard',
    'cron-jobs',
    'supplier',
    'operations',
  ),
  'role-supplier': pages(
    'supplier-dashboard',
    'retailers',
    'retailer-settings',
    'connections',
    'connection-history',
  ),
  'role-retailer': [
    ...pages('retailer-dashboard'),
    // A part of it, which suppliers load on demand.
    'features/inventory/download-history.tsx',
  ],
  account: pages('alerts', 'settings', 'help', 'activity', 'audit'),
  rows: pages('retailer-inventory', 'retailer-preview', 'supplier-inventory'),
  'file-parts': [
    'features/connections/received-files-panel.tsx',
    'features/connections/upload-link-panel.tsx',
    'features/mailed-files/mail-inbox-panel.tsx',
  ],
}

/** The same of pages and parts that few open: only what nothing else uses, because the rest would come with every page. */
export const APART = {
  shop: pages('connect-shop', 'retailer-shop'),
  // Parts of these, which come after it.
  'shop-parts': ['features/connect-shop/format-step.tsx', 'features/connect-shop/guide-step.tsx'],
  people: [
    ...pages('people', 'retailer-people'),
    // A part of the page of a supplier.
    'features/people/company-people.tsx',
  ],
  invitations: [
    'features/people/invitations-panel.tsx',
    'features/people/invite-person-dialog.tsx',
    'features/suppliers/invite-supplier-dialog.tsx',
  ],
  'publishing-dialogs': [
    'features/publishing/guard-dialog.tsx',
    'features/publishing/publication-dialogs.tsx',
  ],
  'retailer-dialogs': [
    'features/retailers/add-retailer-dialog.tsx',
    'features/retailers/add-retailers-dialog.tsx',
    'features/retailers/bulk-settings-dialog.tsx',
    'features/retailers/delete-retailer-dialog.tsx',
    'features/retailers/edit-retailer-dialog.tsx',
    'features/retailers/invite-retailer-dialog.tsx',
    'features/retailers/retailer-settings-dialog.tsx',
  ],
}

/** @param {string} id */
const isStyle = (id) => id.endsWith('.css')

/** @typedef {{ fileName: string, moduleIds: readonly string[], imports: readonly string[] }} Chunk */

/**
 * Names the file of each module of these: `start`, what runs first and /auth, and the styles of most groups; `base`, what
 * /upload and /invitation, where nobody needs to be signed in, share with the others; `frame`, that of every signed-in page;
 * `shared`, what several groups use besides; one for each group, of what only it uses where it stands apart, but of the
 * pages of a shop also what they share with other parts; and `schemas`, what /upload and /invitation need of that. What else
 * is loaded on demand is left to the bundler.
 * @param {string} client the folder of the client's code
 * @param {Chunk[]} drafts the files into which the bundler splits it by itself, so that each has only what is used
 * @returns {Map<string, string>} by the id of the module
 */
export function nameChunks(client, drafts) {
  const byFile = new Map(drafts.map((chunk) => [chunk.fileName, chunk]))
  const byModule = new Map(drafts.flatMap((chunk) => chunk.moduleIds.map((id) => [id, chunk])))
  /** @param {string[]} paths @returns {Set<Chunk>} all that these load */
  const load = (paths) => {
    const chunks = paths.map((path) => {
      const chunk = byModule.get(join(client, path).replaceAll('\\', '/'))
      if (!chunk) throw new Error(`The build has no ${path}`)
      return chunk
    })
    return withImports(chunks, byFile)
  }
  /** @param {string[]} paths @returns {string[]} all modules that these load, each once */
  const reach = (paths) => [...load(paths)].flatMap(({ moduleIds }) => moduleIds)
  /** @type {Map<string, string>} */
  const names = new Map()
  /** @param {string} name @param {string[]} ids */
  const give = (name, ids) => {
    for (const id of ids) if (!names.has(id)) names.set(id, name)
  }
  const frame = reach(['layout/app-shell.tsx', 'layout/menu-drawer.tsx'])
  const groups = Object.entries(GROUPS).map(
    ([name, paths]) => /** @type {const} */ ([name, reach(paths)]),
  )
  const grouped = groups.flatMap(([, ids]) => ids)
  const shared = grouped.filter((id, index) => grouped.indexOf(id) < index)
  const withoutFrame = new Set(reach(pages('upload', 'invitation')))
  give('start', reach(['main.tsx', ...pages('auth')]))
  // One request instead of four; administrators, who are few, load two.
  const ofUsers = groups.flatMap(([name, ids]) => (name === 'role-administrator' ? [] : ids))
  give('start', [...frame, ...ofUsers].filter(isStyle))
  give(
    'base',
    [...frame, ...grouped].filter((id) => withoutFrame.has(id)),
  )
  give('frame', frame)
  give('shared', shared)
  // Otherwise a shop's page would load all pages of suppliers for the little that it has of them.
  const ofShop = new Set(reach(APART.shop))
  give(
    'shared',
    reach(GROUPS['role-supplier']).filter((id) => ofShop.has(id)),
  )
  for (const [name, ids] of groups) give(name, ids)
  const apart = load(Object.values(APART).flat())
  const others = new Set(
    drafts.filter((chunk) => !apart.has(chunk)).flatMap(({ imports }) => imports),
  )
  for (const [name, paths] of Object.entries(APART)) {
    const own = [...load(paths)].filter(({ fileName }) => !others.has(fileName))
    give(
      name,
      own.flatMap(({ moduleIds }) => moduleIds),
    )
  }
  // Otherwise a shop's page would load these few one by one, as many forms would.
  for (const id of reach([...APART.shop, ...APART['shop-parts']])) {
    give(withoutFrame.has(id) ? 'schemas' : 'shop', [id])
  }
  return names
}

/** @param {Chunk[]} chunks @param {Map<string, Chunk>} byFile */
function withImports(chunks, byFile) {
  const found = new Set(chunks)
  // A set visits what is added meanwhile.
  for (const { imports } of found) {
    for (const name of imports) {
      const chunk = byFile.get(name)
      if (chunk) found.add(chunk)
    }
  }
  return found
}
