import type { FastifyInstance } from 'fastify'

import { procedurePaths, rolesOf } from '../../api/procedures'
import { routeRoles } from '../../api/route-roles'

/** @throws when a procedure states no roles, and later when a route without any is registered */
export function requireStatedRoles(app: FastifyInstance): void {
  for (const path of procedurePaths) rolesOf(path)
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) {
      const isKnown = Object.hasOwn(routeRoles, toAddress(name, url))
      if (!isKnown) throw new Error(`No roles are stated for ${name} ${url}`)
    }
  })
}

/** The row of a route. HEAD shares the row of GET; files of the client share one row per folder. */
function toAddress(method: string, url: string): string {
  if (url === '/trpc/:path') return `ANY ${url}`
  const path = url.replace(/^(\/assets)?\/[\w.-]+\.[a-z0-9]+$/, '$1/:file')
  return `${method === 'HEAD' ? 'GET' : method} ${path}`
}
