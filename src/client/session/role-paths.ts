import type { Role } from '../../shared/constants'
import { isPagePath } from '../../shared/page-paths'

export type HomePath = '/' | '/supplier' | '/retailer'

/** Where the pages of each role are; of everybody who is signed in besides. */
const ROLE_PATHS: Record<Role, RegExp> = {
  SUPER_ADMIN: /^\/((dashboard\/super-admin|audit)(\/.*)?)?$/,
  SUPPLIER: /^\/(supplier|people)(\/.*)?$/,
  RETAILER: /^\/(retailer|people)(\/.*)?$/,
}
const SHARED_PATHS = /^\/(api-docs|alerts|sessions|api-keys|help)$/

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
  if (url.origin !== window.location.origin || !isPagePath(url.pathname)) return null
  const isSeen = [ROLE_PATHS[role], SHARED_PATHS].some((paths) => paths.test(url.pathname))
  return isSeen ? url.pathname + url.search : null
}
