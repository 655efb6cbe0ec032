import fastifyCookie from '@fastify/cookie'
import fastifySession from '@fastify/session'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Role } from '../../shared/constants'
import type { Actor } from '../domain/actor'
import type { Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import { findActor } from '../features/accounts/accounts'
import { GOOGLE_SIGN_IN_LIFETIME_MS } from '../features/accounts/google-sign-in'
import { rememberAddress } from '../features/accounts/login-attempts'
import type { SessionControl } from '../trpc/init'
import { readClientAddress } from './client-address'
import { createSessionStore, hashSessionId, touchSession } from './session-store'

const HOUR_MS = 60 * 60_000

/** How long a session lives without being used, and in all. */
const LIFETIMES: Record<Role, { idleMs: number; absoluteMs: number }> = {
  SUPPLIER: { idleMs: 12 * HOUR_MS, absoluteMs: 7 * 24 * HOUR_MS },
  RETAILER: { idleMs: 12 * HOUR_MS, absoluteMs: 7 * 24 * HOUR_MS },
  SUPER_ADMIN: { idleMs: 2 * HOUR_MS, absoluteMs: 24 * HOUR_MS },
}

/** Told by the public address alone, where there is one; else by the connection, or a trusted proxy. */
const isHttps = (deps: Deps) => deps.config.publicUrl?.startsWith('https:') ?? false
/** The prefix makes browsers refuse the cookie from anybody but this very host. */
export const cookieName = (deps: Deps) => (isHttps(deps) ? '__Host-stockbridge' : 'stockbridge')

export async function registerSessions(app: FastifyInstance, deps: Deps, secret: string) {
  await app.register(fastifyCookie)
  await app.register(fastifySession, {
    secret,
    store: createSessionStore(deps.db, deps.clock),
    cookieName: cookieName(deps),
    cookie: {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure: deps.config.publicUrl === undefined ? 'auto' : isHttps(deps),
    },
    saveUninitialized: false,
    rolling: false,
  })
  leaveOtherCookies(app, cookieName(deps))
}

/**
 * The plugin clears a cookie whose session is over. By then the browser may hold the next one, got
 * at a sign-in or a password change meanwhile, and would lose that: only a sign-out clears.
 */
function leaveOtherCookies(app: FastifyInstance, name: string) {
  app.addHook('onSend', async (request, reply) => {
    const cookies = [reply.getHeader('set-cookie') ?? []].flat().map(String)
    const kept = cookies.filter((cookie) => !request.session || !cookie.startsWith(`${name}=;`))
    if (kept.length === cookies.length) return
    reply.removeHeader('set-cookie')
    if (kept.length > 0) reply.header('set-cookie', kept)
  })
}

/** The user of a request; null when nobody is signed in, or no longer. */
export async function readActor(deps: Deps, request: FastifyRequest): Promise<Actor | null> {
  const { userId, epoch } = request.session
  if (userId === undefined || epoch === undefined) return null
  const actor = await findActor(deps, userId, epoch)
  if (actor) await keepAlive(deps, request)
  return actor
}

/** Best effort: a database that cannot write, on a full disk say, signs nobody out at once. */
async function keepAlive(deps: Deps, request: FastifyRequest): Promise<void> {
  try {
    await touchSession(deps.db, deps.clock, request.session)
  } catch (error) {
    request.log.warn({ err: error }, 'A session could not be kept alive')
  }
}

/**
 * The session of a sign-in that has only begun, by its key in the database. It belongs to nobody, ends
 * by itself, and is replaced when somebody is signed in.
 */
export async function openSignInSession(deps: Deps, request: FastifyRequest): Promise<string> {
  const { session } = request
  if (session.userId === undefined) {
    const endsAt = deps.clock.now() + GOOGLE_SIGN_IN_LIFETIME_MS
    Object.assign(session, { idleMs: GOOGLE_SIGN_IN_LIFETIME_MS, endsAt })
    await session.save()
  }
  return hashSessionId(session.sessionId)
}

/** What procedures may do with the session of their request. */
export function controlSession(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): SessionControl {
  return {
    idHash: hashSessionId(request.session.sessionId),
    async signIn(user) {
      if (!request.session) throw new DomainError('CONFLICT', 'Sign in with a request of its own')
      await request.session.regenerate()
      const { idleMs, absoluteMs } = LIFETIMES[user.role]
      const endsAt = deps.clock.now() + absoluteMs
      // The cookie outlives the browser; the store alone decides when the session is over.
      request.session.options({ maxAge: absoluteMs })
      Object.assign(request.session, { userId: user.id, epoch: user.sessionEpoch, idleMs, endsAt })
      try {
        await request.session.save()
      } catch (error) {
        // Nobody is signed in, so there is nothing for the plugin to save again with the answer.
        delete request.session.endsAt
        throw error
      }
      await rememberAddress(deps, user.id, readClientAddress(request))
    },
    async signOut() {
      if (request.session) await request.session.destroy()
      // A browser takes a `__Host-` cookie, an empty one too, only with Secure.
      reply.clearCookie(cookieName(deps), { path: '/', secure: isHttps(deps) })
    },
  }
}
