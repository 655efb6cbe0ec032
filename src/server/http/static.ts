import { basename } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/**
 * Serves the built client. Every path that is neither a file nor an API call gets the page, whose
 * router shows the screen or reports that it does not exist.
 */
export async function registerStatic(app: FastifyInstance, directory: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: directory,
    wildcard: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // File names under assets/ contain a content hash; the page that refers to them does not.
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
