import type { FastifyReply, FastifyRequest } from 'fastify'

import { DEFAULT_PAGE_SIZE, SHOWN_RUN_HOURS, type Role } from '../../../shared/constants'
import type { FirstData } from '../../../shared/first-data'
import { costOf } from '../../api/call-costs'
import type { InputOf, ProcedurePath } from '../../api/procedures'
import { selfOf } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { isFactorOverdue } from '../../domain/factor-setup'
import { logFailure } from '../../domain/log-failure'
import type { Context } from '../../trpc/init'
import { callProcedure } from '../api/call-procedure'
import { createContext } from '../api/context'
import type { CallLimits } from '../guards/call-limits'

type Call = { path: ProcedurePath; input?: unknown }

/** A call whose input is checked against its procedure. */
const call = <Path extends ProcedurePath>(path: Path, ...[input]: [InputOf<Path>?]): Call => ({
  path,
  ...(input !== undefined && { input }),
})

/** A list as it is shown without a search. */
const WHOLE_LIST = { q: '', page: 1, size: DEFAULT_PAGE_SIZE } as const

type FirstCalls = {
  calls: Call[]
  /** For the first object, or the only one, that the first of these calls returns. */
  ofFirst?: (id: number) => Call[]
}

/** What the pages that people open most show first. */
const CALLS: Record<Role, Record<string, FirstCalls>> = {
  SUPER_ADMIN: {
    '/': {
      calls: [
        call('operations.troubles'),
        call('operations.overview'),
        call('operations.storage'),
        call('suppliers.page', WHOLE_LIST),
      ],
    },
    '/dashboard/super-admin/operations': {
      calls: [
        call('operations.syncs'),
        call('operations.runHours', { hours: SHOWN_RUN_HOURS }),
        call('operations.overview'),
      ],
    },
    '/dashboard/super-admin/cron-jobs': { calls: [call('cronJobs.list')] },
  },
  SUPPLIER: {
    '/supplier': {
      calls: [
        call('connections.list'),
        call('retailers.page', WHOLE_LIST),
        call('retailers.readers'),
      ],
      ofFirst: (id) => [
        call('connections.runs', { id }),
        call('publishing.versions', { id }),
        call('timeline.figures', { id }),
      ],
    },
    // The list does not wait for the rows of each to be counted.
    '/supplier/retailers': { calls: [call('retailers.page', WHOLE_LIST)] },
    '/supplier/connections': {
      calls: [call('connections.list')],
      ofFirst: (id) => [
        call('connections.runs', { id }),
        call('connections.findings', { id }),
        call('publishing.versions', { id }),
        call('publishing.guard', { id }),
        call('columnPolicy.get', { id }),
      ],
    },
  },
  RETAILER: {
    '/retailer': {
      calls: [call('retailers.own'), call('retailers.supplier')],
      ofFirst: (id) => [
        call('retailers.latestFile', { id }),
        call('retailers.changes', { id }),
        call('retailers.rowCounts', { id }),
        call('feedAddresses.list', { id }),
        call('retailers.downloads', { id }),
      ],
    },
    '/retailer/inventory': {
      calls: [call('retailers.own')],
      ofFirst: (id) => [call('retailers.inventory', { id })],
    },
    '/retailer/shop': {
      calls: [call('retailers.own')],
      ofFirst: (id) => [
        call('feedAddresses.list', { id }),
        call('profiles.get', { id }),
        call('retailers.usage', { ids: [id] }),
        call('retailers.downloads', { id }),
        call('retailers.latestFile', { id }),
      ],
    },
  },
}

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
  const { calls = [], ofFirst } = CALLS[actor.role][request.url] ?? {}
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
