import type { Role } from '../../shared/constants'

export type HomePath = '/' | '/supplier' | '/retailer'

/** The paths that each role may see. */
const ROLE_PATHS: Record<Role, RegExp> = {
  SUPER_ADMIN: /^\/(dashboard\/super-admin(\/cron-jobs|\/settings)?|api-docs)?$/,
  SUPPLIER: /^\/(supplier(\/retailers(\/[1-9]\d*)?|\/connections|\/inventory)?|api-docs)$/,
  RETAILER: /^\/(retailer(\/inventory|\/settings)?|api-docs)$/,
}

const HOME_PATHS: Record<Role, HomePath> = {
  SUPER_ADMIN: '/',
  SUPPLIER: '/supplier',
  RETAILER: '/retailer',
}

/** Where a role starts: SUPPLIER goes to /supplier, RETAILER to /retailer, any other role to /. */
export function homePath(role: Role): HomePath {
  return HOME_PATHS[role]
}

/** Reading 14: a wanted address is followed only if it is one of ours that the role may see. */
export function followablePath(role: Role, wanted: string | undefined): string | null {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, window.location.origin)) return null
  const url = new URL(wanted, window.location.origin)
  if (url.origin !== window.location.origin || !ROLE_PATHS[role].test(url.pathname)) return null
  return url.pathname + url.search
}
