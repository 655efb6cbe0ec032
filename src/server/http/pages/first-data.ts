import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Role } from '../../../shared/constants'
import type { FirstData } from '../../../shared/first-data'
import { costOf } from '../../api/call-costs'
import { selfOf } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { isFactorOverdue } from '../../domain/factor-setup'
import { logFailure } from '../../domain/log-failure'
import type { Context } from '../../trpc/init'
import { callProcedure } from '../api/call-procedure'
import { createContext } from '../api/context'
import type { CallLimits } from '../guards/call-limits'
import { call, findFirstCalls, type Call } from './first-calls'

/**
 * The results of the calls that a page makes first, for the caller of its request: the client would make them
 * in two or three turns once its code is loaded. Without a result that cannot be had the client makes the call
 * itself, and says what is wrong.
 */
export async function readFirstData(
  deps: Deps,
  limits: CallLimits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ role: Role | undefined; data: FirstData }> {
  const context = await createContext(deps, request, reply)
  const { actor, address } = context
  const ofAll = [call('session.current'), call('app.info')]
  if (!actor || isFactorOverdue(actor, deps.clock.now())) {
    return { role: actor?.role, data: await makeCalls(context, ofAll) }
  }
  const make = async (calls: Call[]): Promise<FirstData> => {
    const cost = calls.reduce((sum, { path }) => sum + costOf(path), 0)
    const isAllowed =
      limits.callsByUser.tryCount(selfOf(actor).id, cost) &&
      limits.callsFromAddress.tryCount(address, cost)
    return isAllowed ? await makeCalls(context, calls) : []
  }
  const { calls, ofFirst } = findFirstCalls(actor.role, request.url)
  const results = await make([...calls, ...ofAll, call('alerts.list')])
  const id = findId(results.find(({ path }) => path === calls[0]?.path)?.data)
  const more = ofFirst && id !== undefined ? await make(ofFirst(id)) : []
  return { role: actor.role, data: [...results, ...more] }
}

async function makeCalls(context: Context, calls: Call[]): Promise<FirstData> {
  return (await Promise.all(calls.map((one) => makeCall(context, one)))).flat()
}

/** The id of an object, or of the first one of a list. */
function findId(data: unknown): number | undefined {
  const [first] = [data].flat() as ({ id?: number } | null | undefined)[]
  return first?.id
}

async function makeCall(context: Context, { path, input }: Call): Promise<FirstData> {
  try {
    const data = await callProcedure(path, context, input)
    return [{ path, ...(input !== undefined && { input }), data }]
  } catch (error) {
    logFailure(context.deps.logger, error, `A page has no result of ${path}`)
    return []
  }
}
