import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** All methods used by the product's routes. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])

type Refusal = { status: 400 | 405; message: string }

/**
 * Refuses valid HTTP requests of a form that no client of the product uses, before anything else
 * handles them: the libraries behind this point treat them differently, and some crash. The
 * response is the same at every path, so neither REST nor tRPC sees the request.
 */
export function refuseUnusedForms(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = findRefusal(request)
    if (refusal) send(reply, refusal)
    else done()
  })
}

function findRefusal({ method, raw: { url = '', headers } }: FastifyRequest): Refusal | undefined {
  if (!METHODS.has(method)) {
    return { status: 405, message: `The method ${method} is not used here` }
  }
  if (!url.startsWith('/')) {
    return { status: 400, message: 'The address of a request must be a path' }
  }
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && (encoding !== undefined || Number(length) !== 0)) {
    return { status: 400, message: `A ${method} request must not have a body` }
  }
  return undefined
}

function send(reply: FastifyReply, { status, message }: Refusal): void {
  if (status === 405) reply.header('allow', [...METHODS].join(', '))
  reply.status(status).send({ message })
}
