import { basename, dirname } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { isPagePath } from '../../shared/page-paths'

/** Pages without the frame of all others load other files at first. */
const OWN_PAGES: Record<string, string> = { '/auth': 'auth.html', '/upload': 'upload.html' }

const YEAR_SECONDS = 365 * 24 * 60 * 60

/**
 * Serves the built client. Every path that is neither a file nor an API call gets the page, whose
 * router shows the screen, or reports that it does not exist: with status 404.
 */
export async function registerStatic(app: FastifyInstance, directory: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: directory,
    wildcard: false,
    cacheControl: false,
    // The build writes each file as .br and .gz too; they are served by negotiation only.
    preCompressed: true,
    globIgnore: ['**/*.{br,gz}'],
    setHeaders: (reply, path) => {
      // File names under assets/ contain a content hash; the page that refers to them does not.
      const isHashed = basename(dirname(path)) === 'assets'
      const isPage = /^(?:index|auth|upload)\.html(?:\.br|\.gz)?$/.test(basename(path))
      const policy = isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache'
      reply.header('cache-control', isPage ? 'no-store' : policy)
    },
  })
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    const isPage = !/^\/(?:api|trpc|assets|feeds)(?:[/?]|$)/.test(request.url)
    if (!isPage) return reply.callNotFound()
    const [path = ''] = request.url.split('?', 1)
    return reply
      .code(isPagePath(path) ? 200 : 404)
      .sendFile(OWN_PAGES[path.split('/', 2).join('/')] ?? 'index.html')
  }
  app.get('/*', sendPage)
  // Files are sent to the same address.
  app.get('/upload/:token', (request, reply) =>
    sendPage(request, reply.header('x-robots-tag', 'noindex')),
  )
}
