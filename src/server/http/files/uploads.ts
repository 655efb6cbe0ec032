import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { MAX_CALL_COST } from '../../../shared/constants'
import { idSchema } from '../../../shared/schemas/primitives'
import { personOf } from '../../domain/actor'
import { withCaller } from '../../domain/caller'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { receiveFromUser } from '../../features/publication/received-files/receive-file'
import { waitForEnd } from '../../features/publication/received-files/wait-for-end'
import { receiveByLink } from '../../features/publication/upload-links/upload-page'
import { parseId } from '../api/rest'
import { asCaller, requireCaller } from '../sessions/caller'
import { readClientAddress } from '../sessions/client-address'
import { readActor } from '../sessions/session'
import { discardRest, readSentFile } from './sent-file'

const LONGEST_WAIT_SECONDS = 60

const ROUTE = { config: { takesFile: true, cost: MAX_CALL_COST } } as const

/** Bodies are passed on as they come, whatever their type. */
function passBodiesOn(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
}

/** Registers the addresses to which files are sent: by users, and by whoever has an upload link. */
export async function registerUploads(app: FastifyInstance, deps: Deps): Promise<void> {
  passBodiesOn(app)
  registerUserUploads(app, deps)
  registerLinkUploads(app, deps)
}

function registerUserUploads(app: FastifyInstance, deps: Deps): void {
  app.put<{ Params: { id: string } }>('/api/connections/:id/file', ROUTE, (request, reply) =>
    receive(request, async () => {
      const actor = await requireCaller(deps, request, 'PUT /api/connections/:id/file')
      const id = idSchema.safeParse(parseId(request.params.id))
      if (!id.success) throw new DomainError('INVALID', 'The id is not valid')
      const place = await asCaller(request, actor, () =>
        receiveFromUser(deps, actor, id.data, () => readSentFile(deps, request)),
      )
      reply.header('location', `/api/connections/${place.connectionId}/received-files/${place.id}`)
      return answer(deps, request, reply, place)
    }),
  )
}

type LinkParams = { Params: { token: string; name?: string } }

/** The link gives the right, whoever is signed in. */
function registerLinkUploads(app: FastifyInstance, deps: Deps): void {
  const handler = (request: FastifyRequest<LinkParams>, reply: FastifyReply) =>
    receive(request, async () => {
      const { token, name } = request.params
      const address = readClientAddress(request)
      const user = { address, userAgent: request.headers['user-agent'] }
      const actor = await readActor(deps, request)
      const caller = { origin: 'web', actor: actor && personOf(actor), address } as const
      const place = await withCaller(caller, () =>
        receiveByLink(deps, token, user, () => readSentFile(deps, request, name)),
      )
      reply.header('location', `/api/upload/${token}`)
      return answer(deps, request, reply, place, { isByLink: true })
    })
  app.route<LinkParams>({ method: ['PUT', 'POST'], url: '/upload/:token', ...ROUTE, handler })
  // `curl -T stock.xlsx` adds the name to an address that ends with a slash.
  app.route<LinkParams>({ method: 'PUT', url: '/upload/:token/:name', ...ROUTE, handler })
}

async function receive<Answer>(
  request: FastifyRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    discardRest(request)
    throw error
  }
}

type Place = { connectionId: number; id: number }

/** 202 while the file waits, 200 with what became of it if the client wants to wait for that. */
async function answer(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place,
  { isByLink = false } = {},
): Promise<FastifyReply> {
  const gone = new AbortController()
  request.raw.socket.once('close', () => gone.abort())
  const file = await waitForEnd(deps, place, readWait(request) * 1_000, gone.signal)
  const shown = isByLink ? { ...file, receivedBy: null } : file
  return reply.status(file.endedAt === null ? 202 : 200).send(shown)
}

const WAIT = /(?:^|[,;])\s*wait\s*=\s*(\d{1,6})(?:\s*[,;]|\s*$)/i

/** The seconds of `Prefer: wait=30`, after RFC 7240. */
function readWait({ headers }: FastifyRequest): number {
  const { prefer } = headers
  const seconds = typeof prefer === 'string' ? WAIT.exec(prefer)?.[1] : undefined
  return Math.min(Number(seconds ?? 0), LONGEST_WAIT_SECONDS)
}
