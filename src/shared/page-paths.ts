import type { Role } from './constants'

/** The paths of all pages, with `$name` for a part that varies, as in the client's router. */
export const PAGE_PATHS = [
  '/',
  '/auth',
  '/upload/$token',
  '/invitation',
  '/forgotten-password',
  '/new-password',
  '/api-docs',
  '/audit',
  '/alerts',
  '/people',
  '/sessions',
  '/api-keys',
  '/help',
  '/dashboard/super-admin',
  '/dashboard/super-admin/cron-jobs',
  '/dashboard/super-admin/operations',
  '/dashboard/super-admin/system',
  '/dashboard/super-admin/settings',
  '/dashboard/super-admin/suppliers/$supplierId',
  '/dashboard/super-admin/suppliers/$supplierId/retailers/$userId/people',
  '/supplier',
  '/supplier/retailers',
  '/supplier/retailers/$retailerId',
  '/supplier/retailers/$retailerId/preview',
  '/supplier/retailers/$retailerId/shop',
  '/supplier/connections',
  '/supplier/connections/$connectionId/history',
  '/supplier/connections/$connectionId/comparison',
  '/supplier/connections/$connectionId/items',
  '/supplier/inventory',
  '/supplier/groups',
  '/supplier/card',
  '/supplier/settings',
  '/supplier/activity',
  '/retailer',
  '/retailer/inventory',
  '/retailer/items',
  '/retailer/settings',
  '/retailer/shop',
  '/retailer/directory',
  '/retailer/merged-file',
]

/** The page that makes the first administrator: where there is one, it is as if it did not exist. */
export const SETUP_PATH = '/setup'

const patterns = PAGE_PATHS.map((path) => new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`))

/** Whether a page has this path; all others show the not-found page. */
export function isPagePath(path: string): boolean {
  const withoutSlash = path.replace(/(?<=.)\/$/, '')
  return patterns.some((pattern) => pattern.test(withoutSlash))
}

/** The page of the own settings, by role. */
export const SETTINGS_PATHS = {
  SUPER_ADMIN: '/dashboard/super-admin/settings',
  SUPPLIER: '/supplier/settings',
  RETAILER: '/retailer/settings',
} as const satisfies Record<Role, (typeof PAGE_PATHS)[number]>
