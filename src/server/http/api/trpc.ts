import { resolveResponse, type HTTPBaseHandlerOptions } from '@trpc/server/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { appRouter, type AppRouter } from '../../api/router'
import type { Deps } from '../../domain/deps'
import { logFailure } from '../../domain/log-failure'
import { describeError } from '../../trpc/describe-error'
import { createContext } from './context'

const MAX_BATCH_SIZE = 10
/** Keeps proxies from storing, compressing or buffering an event stream. */
const STREAM_HEADERS = { 'cache-control': 'no-store, no-transform' }

type Call = { Params: { path: string } }

/**
 * Serves the procedures over tRPC. Unlike tRPC's own plugin for Fastify, it sends answers that are
 * complete as texts instead of streams, and aborts a request only when its client is gone: both take
 * as long as a short call.
 */
export async function registerTrpc(app: FastifyInstance, deps: Deps): Promise<void> {
  // tRPC parses bodies by itself.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  app.all<Call>('/trpc/:path', async (request, reply) => {
    const response = await resolveResponse({
      ...options,
      req: toWebRequest(request, reply),
      path: request.params.path,
      error: null,
      createContext: () => createContext(deps, request, reply),
      onError: ({ error, path }) => {
        if (describeError(error).status >= 500) {
          logFailure(request.log, error.cause ?? error, 'A call failed', { path })
        }
      },
    })
    const type = response.headers.get('content-type')
    if (type !== 'application/json') return reply.send(response)
    reply.status(response.status)
    for (const [name, value] of response.headers) reply.header(name, value)
    return reply.send(await response.text())
  })
}

const options = {
  router: appRouter,
  maxBatchSize: MAX_BATCH_SIZE,
  responseMeta({ type, errors }) {
    if (type === 'subscription') return { headers: STREAM_HEADERS }
    const waits = errors.flatMap((error) => describeError(error).retryAfterSeconds ?? [])
    return waits.length > 0 ? { headers: { 'retry-after': `${Math.max(...waits)}` } } : {}
  },
} satisfies Pick<
  HTTPBaseHandlerOptions<AppRouter, Request>,
  'router' | 'maxBatchSize' | 'responseMeta'
>

function toWebRequest({ raw, body }: FastifyRequest<Call>, reply: FastifyReply): Request {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw.headers)) {
    for (const item of [value ?? []].flat()) headers.append(name, item)
  }
  // Only the path and the query count.
  return new Request(`http://localhost${raw.url}`, {
    method: raw.method ?? 'GET',
    headers,
    signal: gone.signal,
    ...(typeof body === 'string' && { body }),
  })
}
