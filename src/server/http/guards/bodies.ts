import { errorCodes, type FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route also takes the body of a form. */
    takesForm?: boolean
    /** The body of the route is a file, of any type but those of forms. */
    takesFile?: boolean
  }
}

/** Pages of other sites can send these without asking, and what they send is no file. */
const FORM_TYPE = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)[ \t]*(?:;|$)/i
const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i

/** Accepts JSON only, but for routes that say so. An empty body counts as missing, for calls that take no input. */
export function registerBodyParser(app: FastifyInstance): void {
  // tRPC would parse multipart forms by itself; no call of this API takes one.
  app.addHook('onRequest', ({ method, headers, routeOptions }, _reply, done) => {
    const type = headers['content-type']
    const isRead = method === 'GET' || method === 'HEAD'
    const { takesForm = false, takesFile = false } = routeOptions.config ?? {}
    const isFree = isRead || takesForm || type === undefined
    if (!isFree && !(takesFile ? !FORM_TYPE.test(type) : JSON_TYPE.test(type))) {
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
