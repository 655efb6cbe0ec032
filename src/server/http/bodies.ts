import { errorCodes, type FastifyInstance } from 'fastify'

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i

/** Only JSON is taken; an empty body counts as none, for the calls that need none. */
export function registerBodyParser(app: FastifyInstance): void {
  // tRPC brings a parser of its own for forms with files, which no call of ours takes.
  app.addHook('onRequest', async ({ method, headers }) => {
    const type = headers['content-type']
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead && type !== undefined && !JSON_TYPE.test(type)) {
      throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(type)
    }
  })
  // Keys that could reach a prototype are dropped, like every other key that no schema knows.
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
