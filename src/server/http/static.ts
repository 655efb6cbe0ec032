import { basename } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/**
 * Serves the built client. Every path that is no file and no call of ours is a page, which the
 * client finds, or reports as missing.
 */
export async function registerStatic(app: FastifyInstance, directory: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: directory,
    wildcard: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Names under assets/ carry a hash of their content; the page that names them does not.
      const isHashed = path.includes('/assets/')
      const isPage = basename(path) === 'index.html'
      const policy = isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache'
      reply.setHeader('cache-control', isPage ? 'no-store' : policy)
    },
  })
  app.get('/*', (request, reply) => {
    const isPage = !/^\/(?:api|trpc|assets)(?:[/?]|$)/.test(request.url)
    return isPage ? reply.sendFile('index.html') : reply.callNotFound()
  })
}
