import { initTRPC, TRPCError } from '@trpc/server'

import { ROLES, type CallArea, type MAX_CALL_COST, type Role } from '../../shared/constants'
import {
  isViewed,
  personOf,
  requireArea,
  requireRole,
  viewAsOnlyReads,
  type Actor,
} from '../domain/actor'
import { countAttempts } from '../domain/attempts'
import { withCaller } from '../domain/caller'
import { requireConfirmed } from '../domain/confirmation'
import type { Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import { requireFactorSetUp } from '../domain/factor-setup'
import { type LimitName } from '../domain/limits'
import { toRefusal } from '../domain/refusal'
import { describeError } from './describe-error'

/** The operations of procedures on the caller's session. */
export type SessionControl = {
  /** The session's key in the database. */
  idHash: string
  /**
   * Ends the current session and starts a new one, with a new id, for the user. Whoever has not just typed a
   * password, but comes from an identity provider, is not confirmed by that.
   */
  signIn(user: Actor, how?: { isByProvider: boolean }): Promise<void>
  signOut(): Promise<void>
}

/** The context of every procedure, over either transport. */
export type Context = {
  deps: Deps
  actor: Actor | null
  /** The client address as rate limits count it: IPv6 as its /64 network. */
  address: string
  /** The origin by which the product was called, which is not always its own. */
  origin: string
  session: SessionControl
}

/**
 * Who may make a call: anyone, even without a session, or users with one of the roles. The rules
 * check which objects a user may access.
 */
export type Access = 'anyone' | readonly Role[]

export type CallMeta = {
  /**
   * The cost of a call in the batch limit and the rate limits: 1 by default, 2 for a list or a read
   * from a file, 5 for hashing a password, a request to another server, searching a file or reading
   * thousands of names.
   */
  cost?: 1 | 2 | typeof MAX_CALL_COST
  /** Stated and enforced by the procedures below, and by nothing else. */
  roles?: Access
  /** Which people of a company may make a call: 'look' for a query by default, 'manage' for a mutation. */
  area?: CallArea
  /** Whether the caller has to confirm first to be who it is; see `requireConfirmed`. */
  needsConfirmation?: boolean
  /** Whether it is for people, too, who first have to turn on a second factor: by default if it is for anyone. */
  isWithoutFactor?: boolean
}

const PING_EVERY_MS = 15_000

const t = initTRPC
  .context<Context>()
  .meta<CallMeta>()
  .create({
    sse: {
      // Pings keep proxies from closing the idle stream, and let the browser notice a lost network.
      ping: { enabled: true, intervalMs: PING_EVERY_MS },
      client: { reconnectAfterInactivityMs: 3 * PING_EVERY_MS },
    },
    errorFormatter({ shape, error }) {
      const { status, message, retryAfterSeconds, reason, hostKey, fieldErrors } =
        describeError(error)
      const { code } = shape.data
      const data = {
        code,
        httpStatus: status,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        ...(reason && { reason }),
        ...(hostKey !== undefined && { hostKey }),
        ...(fieldErrors && { fieldErrors }),
      }
      return { ...shape, message, data }
    },
  })

/** Measures each call once, whether it came over tRPC or REST. */
const measureCall = t.middleware(async ({ ctx, path, next }) => {
  const startedAt = performance.now()
  const result = await next()
  const outcome = result.ok ? 'ok' : result.error.code
  const seconds = (performance.now() - startedAt) / 1_000
  ctx.deps.metrics.procedureFinished({ procedure: path, outcome, seconds })
  return result
})

/** Gives refusals their tRPC code; any other error stays an internal error. */
const translateErrors = t.middleware(async ({ next }) => {
  const result = await next()
  const cause = result.ok ? undefined : toRefusal(result.error.cause)
  if (!cause) return result
  throw new TRPCError({ code: TRPC_CODES[cause.code], message: cause.message, cause })
})

/** Lets the audit log know who calls, without passing it through every rule. */
const identifyCaller = t.middleware(({ ctx, next }) =>
  withCaller(
    {
      origin: 'web',
      actor: ctx.actor && personOf(ctx.actor),
      address: ctx.address,
      keyName: ctx.actor?.key?.name,
    },
    next,
  ),
)

/** What somebody may do who only looks: stop looking. */
const ENDS_VIEW_AS = new Set(['viewings.stop', 'session.logout'])

/** Refuses every mutation of an administrator who sees the product as another user. */
const refuseViewAs = t.middleware(({ ctx, type, path, next }) => {
  if (type === 'mutation' && ctx.actor && isViewed(ctx.actor) && !ENDS_VIEW_AS.has(path)) {
    throw viewAsOnlyReads()
  }
  return next()
})

/** Refuses people who have not turned on a second factor in time. */
const refuseWithoutFactor = t.middleware(({ ctx, meta, next }) => {
  const isOpen = meta?.isWithoutFactor ?? meta?.roles === 'anyone'
  if (ctx.actor && !isOpen) requireFactorSetUp(ctx.deps, ctx.actor)
  return next()
})

const TRPC_CODES = {
  INVALID: 'BAD_REQUEST',
  UNAUTHENTICATED: 'UNAUTHORIZED',
  FORBIDDEN: 'FORBIDDEN',
  NOT_FOUND: 'NOT_FOUND',
  CONFLICT: 'CONFLICT',
  LIMIT_REACHED: 'CONFLICT',
  THROTTLED: 'TOO_MANY_REQUESTS',
  NOT_CONFIGURED: 'NOT_IMPLEMENTED',
  TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  UNAVAILABLE: 'SERVICE_UNAVAILABLE',
} as const

export const { mergeRouters, router } = t

/** Open to everyone. The other procedures check the caller before they parse the input. */
export const publicProcedure = t.procedure
  .meta({ roles: 'anyone' })
  .use(measureCall)
  .use(translateErrors)
  .use(identifyCaller)
  .use(refuseViewAs)
  .use(refuseWithoutFactor)

export const signedInProcedure = publicProcedure
  .meta({ roles: ROLES })
  .use(async ({ ctx, type, meta, next }) => {
    if (!ctx.actor) throw new DomainError('UNAUTHENTICATED', 'You are not signed in')
    requireRole(ctx.actor, meta?.roles === 'anyone' ? ROLES : (meta?.roles ?? []))
    requireArea(ctx.actor, areaOf({ type, meta }))
    if (meta?.needsConfirmation) await requireConfirmed(ctx.deps, ctx.session.idHash)
    return next({ ctx: { ...ctx, actor: ctx.actor } })
  })

/** The area of a call. */
const areaOf = ({
  type,
  meta,
}: {
  type: 'query' | 'mutation' | 'subscription'
  meta: CallMeta | undefined
}) => meta?.area ?? (type === 'mutation' ? 'manage' : 'look')

export const procedureFor = (...roles: Role[]) => signedInProcedure.meta({ roles })

/** For suppliers, and for administrators on their behalf. */
export const supplierProcedure = procedureFor('SUPPLIER', 'SUPER_ADMIN')

export const adminProcedure = procedureFor('SUPER_ADMIN')

/** Counts a caller's calls. Use after `.input()`, so that calls with invalid input do not count. */
export function limitCalls(limit: LimitName) {
  return t.middleware(async ({ ctx, next }) => {
    await countAttempts(ctx.deps, [{ limit, subject: ctx.actor?.id ?? ctx.address }])
    return next()
  })
}
