import { errorCodes, type FastifyInstance } from 'fastify'

import { DomainError } from '../../domain/errors'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route also takes the body of a form. */
    takesForm?: boolean
    /** The body of the route is a file of any type. */
    takesFile?: boolean
  }
}

const MULTIPART_TYPE = /^multipart\//i
const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i

/** Accepts JSON only, but for routes that say so. An empty body counts as missing, for calls that take no input. */
export function registerBodyParser(app: FastifyInstance): void {
  // tRPC would parse multipart forms by itself; no call of this API takes one.
  app.addHook('onRequest', ({ method, headers, routeOptions }, _reply, done) => {
    const type = headers['content-type']
    const { takesForm = false, takesFile = false } = routeOptions.config ?? {}
    const isRead = method === 'GET' || method === 'HEAD'
    if (takesFile && type !== undefined && MULTIPART_TYPE.test(type)) {
      throw new DomainError('INVALID', 'Send the file itself as the body, not in a form')
    }
    const isFree = isRead || takesForm || takesFile
    if (!isFree && type !== undefined && !JSON_TYPE.test(type)) {
      throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(type)
    }
    done()
  })
  // `__proto__` and `constructor` keys are removed, like every other key unknown to the schema.
  const parseJson = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '') done(null, undefined)
      else void parseJson(request, body, done)
    },
  )
}

/** Bodies are passed on as they come, whatever their type. */
export function passBodiesOn(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
}
