import type { Role } from '../../shared/constants'

export type HomePath = '/' | '/supplier' | '/retailer'

/** The paths each role may see. */
const ROLE_PATHS: Record<Role, RegExp> = {
  SUPER_ADMIN:
    /^\/(dashboard\/super-admin(\/cron-jobs|\/settings|\/operations|\/suppliers\/[1-9]\d*(\/retailers\/[1-9]\d*\/people)?)?|audit|api-docs|alerts)?$/,
  SUPPLIER:
    /^\/(supplier(\/retailers(\/[1-9]\d*(\/preview|\/shop)?)?|\/groups|\/card|\/connections|\/inventory|\/settings|\/activity)?|api-docs|alerts|people)$/,
  RETAILER:
    /^\/(retailer(\/inventory|\/settings|\/shop|\/directory|\/merged-file)?|api-docs|alerts|people)$/,
}

const HOME_PATHS: Record<Role, HomePath> = {
  SUPER_ADMIN: '/',
  SUPPLIER: '/supplier',
  RETAILER: '/retailer',
}

/** The dashboard of a role. */
export function homePath(role: Role): HomePath {
  return HOME_PATHS[role]
}

/**
 * Validates the `next` URL of a sign-in, to prevent open redirects.
 * @returns path and query; null unless it is on this origin and the role may see it
 */
export function followablePath(role: Role, wanted: string | undefined): string | null {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, window.location.origin)) return null
  const url = new URL(wanted, window.location.origin)
  if (url.origin !== window.location.origin || !ROLE_PATHS[role].test(url.pathname)) return null
  return url.pathname + url.search
}
