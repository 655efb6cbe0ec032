import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { rememberRouteMethods } from './route-methods'

/** All methods used by the product's routes. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

type Refusal = { status: 400; message: string } | { status: 405; message: string; allow: string[] }

/**
 * Refuses valid HTTP requests of a form that no client of the product uses, before anything else
 * handles them: the libraries behind this point treat them differently, and some crash. Neither REST nor
 * tRPC sees the request. Must be called before the routes are registered.
 */
export function refuseUnusedForms(app: FastifyInstance): void {
  const methodsOf = rememberRouteMethods(app)
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = findWrongForm(request) ?? findWrongMethod(request, methodsOf)
    if (refusal) send(reply, refusal)
    else done()
  })
}

function findWrongMethod(
  { method, routeOptions, raw: { url = '' } }: FastifyRequest,
  methodsOf: (path: string) => Set<string>,
): Refusal | undefined {
  // A route of this path and method, rather than one for any path.
  if (METHODS.has(method) && routeOptions.url && !routeOptions.url.includes('*')) return undefined
  const [path = ''] = url.split(/[?#]/, 1)
  const known = methodsOf(path)
  if (METHODS.has(method) && (known.size === 0 || known.has(method))) return undefined
  const allow = [...METHODS].filter((name) => known.size === 0 || known.has(name))
  return { status: 405, message: `The method ${method} is not used here`, allow }
}

function findWrongForm({ method, raw }: FastifyRequest) {
  const { url = '', headers, httpVersion, rawHeaders } = raw
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return { status: 400, message: 'Use HTTP/1.1' } as const
  }
  // Of several, a proxy may read another one than we do.
  if (rawHeaders.filter(isHost).length > 1) {
    return { status: 400, message: 'A request must not have more than one Host header' } as const
  }
  // What follows is said of methods that are used at all.
  if (!METHODS.has(method)) return undefined
  if (!url.startsWith('/')) {
    return { status: 400, message: 'The address of a request must be a path' } as const
  }
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers
  // In HTTP/1.0 it means nothing, and no other encoding is undone here.
  if (encoding !== undefined && (httpVersion === '1.0' || encoding.toLowerCase() !== 'chunked')) {
    return { status: 400, message: 'The only Transfer-Encoding is chunked, of HTTP/1.1' } as const
  }
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && (encoding !== undefined || Number(length) !== 0)) {
    return { status: 400, message: `A ${method} request must not have a body` } as const
  }
  return undefined
}

/** Names are at even places, values behind them. */
export const isHost = (text: string, index: number) =>
  index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host'

function send(reply: FastifyReply, refusal: Refusal): void {
  const { status, message } = refusal
  if (refusal.status === 405) reply.header('allow', refusal.allow.join(', '))
  reply.status(status).send({ message })
}
