import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'

import type { Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import { costOf } from '../trpc/call-costs'
import { createCaller } from '../trpc/router'
import { createContext } from './context'

type Target = { procedure: string; status: 200 | 201 | 202 }

/**
 * The specification's §7, and the paths of our own that follow its manner: the procedure behind each
 * path, and the status of its success where that is not 200.
 */
const restTable: Readonly<Record<string, string | Target>> = {
  'GET /api/user': 'session.current',
  'POST /api/login': 'session.login',
  'POST /api/register': { procedure: 'session.register', status: 201 },
  'POST /api/auth/google': 'session.google',
  'POST /api/logout': 'session.logout',
  'POST /api/admin/reset-password': 'session.changePassword',
  'POST /api/suppliers': { procedure: 'suppliers.create', status: 201 },
  'PATCH /api/suppliers/:id': 'suppliers.update',
  'POST /api/retailers': { procedure: 'retailers.create', status: 201 },
  'PATCH /api/retailers/:id': 'retailers.update',
  'PATCH /api/retailers/:id/basic-info': 'retailers.updateBasicInfo',
  'PATCH /api/retailers/:id/store-info': 'retailers.updateStoreInfo',
  'PATCH /api/retailers/:id/delivery-preferences': 'retailers.updateDeliveryPreferences',
  'GET /api/retailers/:id/latest-file': 'retailers.latestFile',
  'DELETE /api/retailers/:id': 'retailers.delete',
  'GET /api/users/:userId': 'users.username',
  'PATCH /api/users/:userId/reset-password': 'users.resetPassword',
  'POST /api/connections': { procedure: 'connections.create', status: 201 },
  'POST /api/connections/preview': 'connections.previewSource',
  'PATCH /api/connections/:id': 'connections.update',
  'POST /api/connections/:id/sync': { procedure: 'connections.sync', status: 202 },
  'POST /api/connections/:id/cancel': { procedure: 'connections.cancelSync', status: 202 },
  'GET /api/connections/:id/runs': 'connections.runs',
  'GET /api/connections/:id/files': 'connections.files',
  'GET /api/admin/cron-jobs': 'cronJobs.list',
  'DELETE /api/admin/cron-jobs/:name': 'cronJobs.delete',
  'GET /api/admin/backup-files': 'backups.list',
  'POST /api/admin/trigger-backup': { procedure: 'cronJobs.triggerBackup', status: 202 },
}

/** Serves every row by calling its procedure: the same checks, rules and answers as over tRPC. */
export function registerRest(app: FastifyInstance, deps: Deps): void {
  for (const [route, target] of Object.entries(restTable)) {
    const [method, url] = route.split(' ') as [HTTPMethods, string]
    const { procedure, status } =
      typeof target === 'string' ? { procedure: target, status: 200 } : target
    app.route({
      method,
      url,
      config: { cost: costOf(procedure) },
      handler: async (request, reply) => {
        const caller = createCaller(await createContext(deps, request, reply))
        const result = await callProcedure(caller, procedure, toInput(request))
        // Only the current user can be nobody, which is no error over tRPC and one here (§7).
        if (result === null) throw new DomainError('UNAUTHENTICATED', 'You are not signed in')
        return reply.status(status).send(result)
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

/**
 * The body's keys, or the query's where something is read, with the path's; a body that is no object
 * is left for the schema to refuse.
 */
function toInput(request: FastifyRequest): unknown {
  const params = Object.entries(request.params as Record<string, string>).map(
    ([name, text]) => [name, IS_ID.test(name) ? parseId(text) : text] as const,
  )
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const { body = {} } = isRead ? { body: request.query } : request
  if (params.length === 0) return body
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return { ...body, ...Object.fromEntries(params) }
}

/** `:id`, `:userId`: what a path calls otherwise is text. */
const IS_ID = /^(?:id|\w+Id)$/

const ID = /^[1-9]\d{0,15}$/

/** A malformed id stays text, which no schema takes for a number. */
export function parseId(text: string): number | string {
  return ID.test(text) ? Number(text) : text
}
