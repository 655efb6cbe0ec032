import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { MAX_CALL_COST } from '../../../shared/constants'
import { SECOND_MS } from '../../../shared/durations'
import { idSchema } from '../../../shared/schemas/primitives'
import type { ReceivedFile } from '../../../shared/schemas/received-file'
import { previewFileQuery } from '../../api/upload-routes'
import { personOf } from '../../domain/actor'
import { withCaller } from '../../domain/caller'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { receiveMatching } from '../../features/distribution/merged-files/save-matching'
import { previewSentFile } from '../../features/publication/received-files/preview-sent-file'
import { receiveFromUser } from '../../features/publication/received-files/receive-file'
import { waitForEnd } from '../../features/publication/received-files/wait-for-end'
import { receiveByLink } from '../../features/publication/upload-links/upload-page'
import { parseId } from '../api/rest'
import { passBodiesOn } from '../guards/bodies'
import type { CallLimits } from '../guards/call-limits'
import { toTimeLimits } from '../guards/connection-limits'
import { asCaller, requireCaller } from '../sessions/caller'
import { readClientAddress } from '../sessions/client-address'
import { readActor } from '../sessions/session'
import { registerMails } from './mails'
import { readBody, readSentFile, withBody } from './sent-file'

/** A connection without traffic is closed, also while its client waits. */
const LONGEST_WAIT_MS = toTimeLimits(false).connectionTimeout - 10 * SECOND_MS

const ROUTE = { config: { takesFile: true, cost: MAX_CALL_COST } } as const

/** Registers the addresses to which files are sent: by users, by whoever has an upload link, and in mails. */
export async function registerUploads(
  app: FastifyInstance,
  deps: Deps,
  limits: CallLimits,
): Promise<void> {
  passBodiesOn(app)
  registerUserUploads(app, deps)
  registerPreviews(app, deps)
  registerMatching(app, deps)
  registerLinkUploads(app, deps)
  registerMails(app, deps, limits)
}

function registerUserUploads(app: FastifyInstance, deps: Deps): void {
  app.put<{ Params: { id: string } }>('/api/connections/:id/file', ROUTE, (request, reply) =>
    receive(request, reply, async (signal) => {
      const actor = await requireCaller(deps, request, 'PUT /api/connections/:id/file')
      const id = idSchema.safeParse(parseId(request.params.id))
      if (!id.success) throw new DomainError('INVALID', 'The id is not valid')
      const place = await asCaller(request, actor, () =>
        receiveFromUser(deps, actor, id.data, () => readSentFile(deps, request, { signal })),
      )
      reply.header('location', `/api/connections/${place.connectionId}/received-files/${place.id}`)
      return waitForEnd(deps, { ...place, viewer: actor.role }, readWaitMs(request), signal)
    }),
  )
}

/** A file that is only looked at; `reading` is JSON, as in the preview of an address. */
function registerPreviews(app: FastifyInstance, deps: Deps): void {
  app.post('/api/connections/preview-file', ROUTE, (request, reply) =>
    withBody(request, reply, async (signal) => {
      const actor = await requireCaller(deps, request, 'POST /api/connections/preview-file')
      const input = previewFileQuery.safeParse(request.query)
      if (!input.success) {
        throw new DomainError('INVALID', input.error.issues[0]?.message ?? 'The query is not valid')
      }
      const { full: isFull, ...choices } = input.data
      return previewSentFile(deps, actor, { ...choices, isFull }, () =>
        readSentFile(deps, request, { signal }),
      )
    }),
  )
}

function registerMatching(app: FastifyInstance, deps: Deps): void {
  app.put('/api/merged-file/matching-file', ROUTE, (request, reply) =>
    withBody(request, reply, async (signal) => {
      const actor = await requireCaller(deps, request, 'PUT /api/merged-file/matching-file')
      return asCaller(request, actor, () => receiveMatching(deps, actor, readBody(request, signal)))
    }),
  )
}

type LinkParams = { Params: { token: string; name?: string } }

/** The link gives the right, whoever is signed in. */
function registerLinkUploads(app: FastifyInstance, deps: Deps): void {
  const handler = (request: FastifyRequest<LinkParams>, reply: FastifyReply) =>
    receive(request, reply, async (signal) => {
      const { token, name } = request.params
      const address = readClientAddress(request)
      const user = { address, userAgent: request.headers['user-agent'] }
      const actor = await readActor(deps, request)
      const caller = { origin: 'web', actor: actor && personOf(actor), address } as const
      const place = await withCaller(caller, () =>
        receiveByLink(deps, token, user, () => readSentFile(deps, request, { signal, name })),
      )
      reply.header('location', `/api/upload/${token}`)
      return waitForEnd(deps, { ...place, viewer: null }, readWaitMs(request), signal)
    })
  app.route<LinkParams>({ method: ['PUT', 'POST'], url: '/upload/:token', ...ROUTE, handler })
  // `curl -T stock.xlsx` adds the name to an address that ends with a slash.
  app.route<LinkParams>({ method: 'PUT', url: '/upload/:token/:name', ...ROUTE, handler })
}

/** Answers 202 while the file waits, and 200 with what became of it to who has waited for that. */
async function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (signal: AbortSignal) => Promise<ReceivedFile>,
): Promise<FastifyReply> {
  const file = await withBody(request, reply, work)
  return reply.status(file.endedAt === null ? 202 : 200).send(file)
}

const WAIT = /(?:^|[,;])\s*wait\s*=\s*(\d{1,6})(?:\s*[,;]|\s*$)/i

/** The time of `Prefer: wait=30`, after RFC 7240. */
function readWaitMs({ headers }: FastifyRequest): number {
  const { prefer } = headers
  const seconds = typeof prefer === 'string' ? WAIT.exec(prefer)?.[1] : undefined
  return Math.min(Number(seconds ?? 0) * SECOND_MS, LONGEST_WAIT_MS)
}
