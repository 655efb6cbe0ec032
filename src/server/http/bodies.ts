import type { FastifyInstance } from 'fastify'

/** Only JSON is taken; an empty body counts as none, for the calls that need none. */
export function registerBodyParser(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '') done(null, undefined)
      else parseJson(request, body, done)
    },
  )
}
