import type { FastifyInstance, FastifyRequest } from 'fastify'

import { DomainError } from '../../domain/errors'
import { readApiKey } from '../sessions/api-key'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses writes that a page of another site makes with our cookie, over both transports. With a
 * public URL configured, only its origin is accepted: forwarded headers may be made up by the
 * client.
 */
export function registerCrossSiteGuard(app: FastifyInstance, publicUrl: string | undefined): void {
  const publicOrigin = publicUrl && new URL(publicUrl).origin
  app.addHook('onRequest', (request, _reply, done) => {
    const isWrite = !SAFE_METHODS.has(request.method)
    if (isWrite && !isByKey(request) && isCrossSite(request, publicOrigin)) {
      throw new DomainError('FORBIDDEN', 'Requests from other sites are refused')
    }
    done()
  })
}

/** No page can make a browser send a key, and with a key no cookie counts. */
const isByKey = (request: FastifyRequest) =>
  request.url.startsWith('/api/') && readApiKey(request) !== undefined

function isCrossSite(request: FastifyRequest, publicOrigin: string | undefined): boolean {
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return true
  const { origin } = request.headers
  const ourOrigin = publicOrigin ?? `${request.protocol}://${request.host}`
  return origin !== undefined && origin !== ourOrigin
}
