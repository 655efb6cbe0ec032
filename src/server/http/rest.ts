import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import { createCaller } from '../trpc/router'
import { createContext } from './context'

/** A documented path: the procedure behind it, and how a request becomes its input. */
type RestRow = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With Fastify's parameters; `:id` and `:userId` become numbers in the input. */
  path: string
  procedure: string
  /** The status of a success. */
  status: 200 | 201 | 202
  /** What an empty answer means here; without it, an empty answer is a success. */
  whenNull?: () => Error
}

const notSignedIn = () => new DomainError('UNAUTHENTICATED', 'You are not signed in')

/** The specification's §7, and the paths of our own that follow its manner. */
export const restRows: readonly RestRow[] = [
  {
    method: 'GET',
    path: '/api/user',
    procedure: 'session.current',
    status: 200,
    whenNull: notSignedIn,
  },
  { method: 'POST', path: '/api/login', procedure: 'session.login', status: 200 },
  { method: 'POST', path: '/api/register', procedure: 'session.register', status: 201 },
  { method: 'POST', path: '/api/logout', procedure: 'session.logout', status: 200 },
  {
    method: 'POST',
    path: '/api/admin/reset-password',
    procedure: 'session.changePassword',
    status: 200,
  },
  { method: 'GET', path: '/api/suppliers', procedure: 'suppliers.list', status: 200 },
  { method: 'POST', path: '/api/suppliers', procedure: 'suppliers.create', status: 201 },
  { method: 'PATCH', path: '/api/suppliers/:id', procedure: 'suppliers.update', status: 200 },
  { method: 'GET', path: '/api/retailers', procedure: 'retailers.list', status: 200 },
  { method: 'POST', path: '/api/retailers', procedure: 'retailers.create', status: 201 },
  { method: 'PATCH', path: '/api/retailers/:id', procedure: 'retailers.update', status: 200 },
  {
    method: 'PATCH',
    path: '/api/retailers/:id/basic-info',
    procedure: 'retailers.updateBasicInfo',
    status: 200,
  },
  {
    method: 'PATCH',
    path: '/api/retailers/:id/store-info',
    procedure: 'retailers.updateStoreInfo',
    status: 200,
  },
  {
    method: 'PATCH',
    path: '/api/retailers/:id/delivery-preferences',
    procedure: 'retailers.updateDeliveryPreferences',
    status: 200,
  },
  {
    method: 'GET',
    path: '/api/retailers/:id/latest-file',
    procedure: 'retailers.latestFile',
    status: 200,
  },
  { method: 'DELETE', path: '/api/retailers/:id', procedure: 'retailers.delete', status: 200 },
  { method: 'GET', path: '/api/users/:userId', procedure: 'users.username', status: 200 },
  {
    method: 'PATCH',
    path: '/api/users/:userId/reset-password',
    procedure: 'users.resetPassword',
    status: 200,
  },
  { method: 'GET', path: '/api/connections', procedure: 'connections.list', status: 200 },
  { method: 'POST', path: '/api/connections', procedure: 'connections.create', status: 201 },
  {
    method: 'POST',
    path: '/api/connections/preview',
    procedure: 'connections.previewSource',
    status: 200,
  },
  { method: 'PATCH', path: '/api/connections/:id', procedure: 'connections.update', status: 200 },
  { method: 'POST', path: '/api/connections/:id/sync', procedure: 'connections.sync', status: 202 },
  {
    method: 'GET',
    path: '/api/connections/:id/files',
    procedure: 'connections.files',
    status: 200,
  },
]

/** Serves every row by calling its procedure: the same checks, rules and answers as over tRPC. */
export function registerRest(app: FastifyInstance, deps: Deps): void {
  for (const row of restRows) {
    app.route({
      method: row.method,
      url: row.path,
      handler: async (request, reply) => {
        const caller = createCaller(await createContext(deps, request, reply))
        const result = await callProcedure(caller, row.procedure, toInput(request))
        if (result === null && row.whenNull) throw row.whenNull()
        return reply.status(row.status).send(result)
      },
    })
  }
}

async function callProcedure(caller: unknown, path: string, input: unknown): Promise<unknown> {
  const [noun, verb] = path.split('.') as [string, string]
  const nouns = caller as Record<string, Record<string, (input: unknown) => Promise<unknown>>>
  const procedure = nouns[noun]?.[verb]
  if (!procedure) throw new Error(`There is no procedure ${path}`)
  return procedure(input)
}

/** The body's keys with the path's ids; a body that is no object is left for the schema to refuse. */
function toInput(request: FastifyRequest): unknown {
  const ids = Object.entries(request.params as Record<string, string>).map(
    ([name, text]) => [name, parseId(text)] as const,
  )
  const { body = {} } = request
  if (ids.length === 0) return body
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return { ...body, ...Object.fromEntries(ids) }
}

const ID = /^[1-9]\d{0,15}$/

/** A malformed id stays text, which no schema takes for a number. */
export function parseId(text: string): number | string {
  return ID.test(text) ? Number(text) : text
}
