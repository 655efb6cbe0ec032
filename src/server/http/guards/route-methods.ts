import type { FastifyInstance } from 'fastify'

import { decodeOrKeep } from '../../../shared/percent-encoding'

/** The parts of a route's path; undefined for a parameter, which stands for any part. */
type Pattern = { parts: (string | undefined)[]; methods: Set<string> }

/**
 * Remembers the routes that are registered after it, and returns a function that lists the methods of
 * those that a path belongs to: none for an unknown path. Routes for any path whatever are left out.
 */
export function rememberRouteMethods(app: FastifyInstance): (path: string) => Set<string> {
  /** By their number of parts. */
  const patterns = new Map<number, Pattern[]>()
  app.addHook('onRoute', ({ method, url }) => {
    if (url.includes('*')) return
    const parts = url.split('/').map((part) => (part.startsWith(':') ? undefined : part))
    const known = patterns.get(parts.length) ?? []
    patterns.set(parts.length, [...known, { parts, methods: new Set([method].flat()) }])
  })
  return (path) => {
    // As the router reads them.
    const parts = path.split('/').map(decodeOrKeep)
    const isPart = (part: string | undefined, place: number) =>
      part === undefined ? parts[place] !== '' : part === parts[place]
    const found = (patterns.get(parts.length) ?? []).filter((known) => known.parts.every(isPart))
    return new Set(found.flatMap(({ methods }) => [...methods]))
  }
}
