import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'

import { ACTORS, permissions, type ActorKind, type PermissionRow } from '../permissions'
import { appRouter } from '../trpc/router'
import { openLiveStream, type StreamError } from './live-stream'
import { nameOf, type Sample } from './samples'
import type { Answer, Client } from './test-app'

/** The two ways into the product: the same calls, checks and answers. */
export const DOORS = ['REST', 'tRPC'] as const
export type Door = (typeof DOORS)[number]

/** A row of the permission table at one of its doors, with somebody who may make the call. */
export type DoorCall = {
  name: string
  door: Door
  row: PermissionRow
  actor: ActorKind
  /** The status of its success. */
  status: number
}

type ProcedureDefinition = { type: 'query' | 'mutation' | 'subscription'; inputs: z.ZodType[] }
const procedures = appRouter._def.procedures as unknown as Record<
  string,
  { _def: ProcedureDefinition }
>

export const typeOf = (procedure: string | null) => procedures[procedure ?? '']?._def.type

/** What a procedure takes; undefined when it takes nothing. */
export const inputOf = (procedure: string | null) => procedures[procedure ?? '']?._def.inputs.at(-1)

/** Every call that somebody may make, at every door that it has. */
export const doorCalls: readonly DoorCall[] = permissions.flatMap((row) => {
  const actor = ACTORS.find((kind) => row.expect[kind] < 300)
  if (!actor) return []
  const status = row.expect[actor]
  const name = nameOf(row)
  return [
    ...(row.route ? [{ name, door: 'REST' as const, row, actor, status }] : []),
    ...(row.procedure ? [{ name, door: 'tRPC' as const, row, actor, status: 200 }] : []),
  ]
})

/** Those that change something, or make a request to somebody else's server. */
export const writeCalls = doorCalls.filter(({ door, row: { route, procedure } }) =>
  door === 'REST' ? !route!.startsWith('GET ') : typeOf(procedure) === 'mutation',
)

/** Where a call of a row goes at a door. */
export function addressOf(door: Door, { route, procedure }: PermissionRow, sample: Sample) {
  const { params = {}, body } = sample
  if (door === 'REST') {
    const [method = '', path = ''] = route!.split(' ')
    const url = path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]))
    return { method, url, body }
  }
  const input = sample.params || body ? { ...params, ...body } : undefined
  if (typeOf(procedure) === 'mutation') {
    return { method: 'POST', url: `/trpc/${procedure}`, body: input ?? {} }
  }
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  return { method: 'GET', url: `/trpc/${procedure}${query}`, body: undefined }
}

export async function callAt(
  app: FastifyInstance,
  door: Door,
  row: PermissionRow,
  client: Client,
  sample: Sample,
): Promise<Pick<Answer, 'status' | 'body' | 'text'>> {
  const isStream = door === 'tRPC' && typeOf(row.procedure) === 'subscription'
  if (isStream) return listenOnce(app, client)
  const { method, url, body } = addressOf(door, row, sample)
  return client.request(method, url, body)
}

/** A stream always begins with 200: its first event is what was asked for, or the refusal. */
async function listenOnce(app: FastifyInstance, client: Client) {
  const stream = await openLiveStream(app, client)
  try {
    return { status: 200, body: await stream.next(), text: '' }
  } catch (error) {
    const { data, message } = error as StreamError
    return { status: data.httpStatus, body: { error }, text: message }
  } finally {
    stream.close()
  }
}

type TrpcErrorData = {
  code?: string
  httpStatus?: number
  fieldErrors?: Record<string, string>
}

/** The paths of the fields that a refusal over tRPC names. */
export function readFieldPaths({ body }: Pick<Answer, 'body'>): string[] {
  const { error } = body as { error?: { data?: TrpcErrorData } }
  return Object.keys(error?.data?.fieldErrors ?? {})
}

/** What a refusal says, when it says that and nothing else; undefined for any other answer. */
export function readRefusal(
  door: Door,
  { status, body }: Pick<Answer, 'status' | 'body'>,
): string | undefined {
  const error = door === 'REST' ? body : (body as { error?: object } | undefined)?.error
  if (typeof error !== 'object' || error === null) return undefined
  const { message, ...rest } = error as { message: unknown }
  const { code, data = {}, ...others } = rest as { code?: number; data?: TrpcErrorData }
  const { httpStatus, code: _name, fieldErrors: _fields, ...moreData } = data
  const unknown = door === 'REST' ? rest : { ...others, ...moreData }
  const isPlain = Object.keys(unknown).length === 0
  const isConsistent = door === 'REST' || (typeof code === 'number' && httpStatus === status)
  return isPlain && isConsistent && typeof message === 'string' ? message : undefined
}
