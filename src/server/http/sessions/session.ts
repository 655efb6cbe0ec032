import fastifyCookie from '@fastify/cookie'
import fastifySession from '@fastify/session'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Role } from '../../../shared/constants'
import { DAY_MS, HOUR_MS } from '../../../shared/durations'
import { selfOf, type Actor } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { describeProgram } from '../../domain/program-name'
import { GOOGLE_SIGN_IN_LIFETIME_MS } from '../../features/people/accounts/google-sign-in'
import { rememberAddress } from '../../features/people/accounts/login-attempts'
import { findActing } from '../../features/people/accounts/signed-in'
import type { SessionControl } from '../../trpc/init'
import { readClientAddress } from './client-address'
import { createSessionStore, hashSessionId, touchSession } from './session-store'

/** How long a session lasts without being used, and in total. */
const LIFETIMES: Record<Role, { idleMs: number; absoluteMs: number }> = {
  SUPPLIER: { idleMs: 12 * HOUR_MS, absoluteMs: 7 * DAY_MS },
  RETAILER: { idleMs: 12 * HOUR_MS, absoluteMs: 7 * DAY_MS },
  SUPER_ADMIN: { idleMs: 2 * HOUR_MS, absoluteMs: DAY_MS },
}

/** Whether the configured public URL is https. */
const isHttps = (deps: Deps) => deps.config.publicUrl?.startsWith('https:') ?? false
/** The `__Host-` prefix makes browsers accept the cookie only from this exact host. */
export const cookieName = (deps: Deps) => (isHttps(deps) ? '__Host-stockbridge' : 'stockbridge')

/** @param secrets the one that signs cookies, then others that are accepted */
export async function registerSessions(app: FastifyInstance, deps: Deps, secrets: string[]) {
  await app.register(fastifyCookie)
  await app.register(fastifySession, {
    secret: secrets,
    store: createSessionStore(deps),
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
  keepNewerCookies(app, cookieName(deps))
}

/**
 * Removes the plugin's header that clears the cookie of an ended session. By then the browser may
 * hold a newer cookie, from a sign-in or a password change, and would lose that one. Only a
 * sign-out clears the cookie.
 */
function keepNewerCookies(app: FastifyInstance, name: string) {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const cookies = [reply.getHeader('set-cookie') ?? []].flat().map(String)
    const kept = cookies.filter((cookie) => !request.session || !cookie.startsWith(`${name}=;`))
    if (kept.length < cookies.length) {
      reply.removeHeader('set-cookie')
      if (kept.length > 0) reply.header('set-cookie', kept)
    }
    done()
  })
}

/** The user of a request; null when nobody is signed in or the session is no longer valid. */
export async function readActor(deps: Deps, request: FastifyRequest): Promise<Actor | null> {
  if (request.keyActor) return request.keyActor
  const { sessionId, userId, epoch } = request.session
  if (userId === undefined || epoch === undefined) return null
  const known = await deps.signedIn.find(hashSessionId(sessionId))
  const actor = findActing(known, epoch, deps.clock.now())
  if (actor) await keepAlive(deps, request)
  return actor
}

/** What a session or an API key is used by, and from where. */
export const readSender = (request: FastifyRequest) => ({
  program: describeProgram(request.headers['user-agent']),
  address: readClientAddress(request),
})

/** Best effort: a database that cannot be written (full disk) must not sign users out at once. */
async function keepAlive(deps: Deps, request: FastifyRequest): Promise<void> {
  try {
    await touchSession(deps.db, deps.clock, request.session, () => readSender(request))
  } catch (error) {
    request.log.warn({ err: error }, 'A session could not be kept alive')
  }
}

/**
 * Opens an anonymous session for a pending Google sign-in, unless the user is signed in already;
 * returns its key in the database. It expires by itself and is replaced when the sign-in completes.
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

/** The operations of procedures on the session of their request. */
export function controlSession(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): SessionControl {
  const { sessionId } = request.session
  return {
    get idHash() {
      return hashSessionId(sessionId)
    },
    async signIn(user, { isByProvider } = { isByProvider: false }) {
      if (!request.session) throw new DomainError('CONFLICT', 'Sign in with a separate request')
      await request.session.regenerate()
      const { id, sessionEpoch } = selfOf(user)
      const { idleMs, absoluteMs } = LIFETIMES[user.role]
      const endsAt = deps.clock.now() + absoluteMs
      // The cookie persists for the maximum lifetime; the store decides when the session ends.
      request.session.options({ maxAge: absoluteMs })
      const times = { idleMs, endsAt }
      const sender = readSender(request)
      const proof = isByProvider ? { isByProvider } : { confirmedAt: deps.clock.now() }
      const parts = { ...times, ...sender, ...proof }
      Object.assign(request.session, { userId: id, epoch: sessionEpoch, ...parts })
      try {
        await request.session.save()
      } catch (error) {
        // Nobody is signed in: keeps the plugin from saving the session again with the response.
        delete request.session.endsAt
        throw error
      }
      await rememberAddress(deps, id, readClientAddress(request))
    },
    async signOut() {
      if (request.session) await request.session.destroy()
      // Browsers accept a `__Host-` cookie, even a cleared one, only with Secure.
      reply.clearCookie(cookieName(deps), { path: '/', secure: isHttps(deps) })
    },
  }
}
