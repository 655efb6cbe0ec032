import type { FastifyInstance } from 'fastify'

import { definitionOf, inputSchemaOf } from '../trpc/procedures'
import { ACTORS, type ActorKind } from './access-matrix/actors'
import { accessMatrix, type MatrixRow } from './access-matrix/matrix'
import { openLiveStream, type StreamError } from './live-stream'
import { nameOf, type Sample } from './samples'
import type { Answer, Client } from './test-app'

/** The two ways of making a call: the same checks and answers. What has no procedure counts as REST. */
const TRANSPORTS = ['REST', 'tRPC'] as const
export type Transport = (typeof TRANSPORTS)[number]

/** A row of the access matrix over one of its transports. */
export type MatrixCall = { name: string; transport: Transport; row: MatrixRow }

/** A call of the API with somebody who may make it. */
export type ApiCall = MatrixCall & {
  actor: ActorKind
  /** The status of its success. */
  status: number
}

/** What kind of procedure a row has; undefined when it has none. */
export const typeOf = ({ procedure }: MatrixRow) => procedure && definitionOf(procedure).type

/** What the procedure of a row takes; undefined when it takes nothing. */
export const inputOf = ({ procedure }: MatrixRow) =>
  procedure === null ? undefined : inputSchemaOf(procedure)

/** Every row over every transport that it has. */
export const matrixCalls: readonly MatrixCall[] = accessMatrix.flatMap((row) =>
  TRANSPORTS.filter((transport) => (transport === 'REST' ? row.route : row.procedure)).map(
    (transport) => ({ name: nameOf(row), transport, row }),
  ),
)

/** Every call of the API that somebody may make. */
export const apiCalls: readonly ApiCall[] = matrixCalls.flatMap((call) => {
  const { transport, row } = call
  const actor = ACTORS.find((kind) => row.expect[kind] < 300)
  const isOfApi = transport === 'tRPC' || row.route?.includes(' /api/')
  if (!actor || !isOfApi) return []
  return [{ ...call, actor, status: successOf(call, actor) }]
})

/** What an actor gets for a call: over tRPC every success is a 200. */
export function successOf({ transport, row }: MatrixCall, actor: ActorKind): number {
  const status = row.expect[actor]
  return transport === 'tRPC' && status < 300 ? 200 : status
}

/** Whether the call changes nothing, and makes no request to somebody else's server. */
export function isRead({ transport, row }: MatrixCall): boolean {
  if (transport === 'REST') return !/^(?:POST|PATCH|DELETE) /.test(row.route ?? '')
  return typeOf(row) !== 'mutation'
}

export const writeCalls = apiCalls.filter((call) => !isRead(call))

/** Where a call of a row goes over a transport. */
export function addressOf(transport: Transport, row: MatrixRow, sample: Sample) {
  const { params = {}, body } = sample
  const { route, procedure } = row
  if (transport === 'REST') {
    const [method = '', path = ''] = (route ?? '').replace('ANY', 'GET').split(' ')
    const url = path.replaceAll(/[:*]\w*/g, (name) => String(params[name.replace(':', '')]))
    return { method, url, body }
  }
  const input = sample.params || body ? { ...params, ...body } : undefined
  if (typeOf(row) === 'mutation') {
    return { method: 'POST', url: `/trpc/${procedure}`, body: input ?? {} }
  }
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  return { method: 'GET', url: `/trpc/${procedure}${query}`, body: undefined }
}

export async function callOver(
  app: FastifyInstance,
  transport: Transport,
  row: MatrixRow,
  client: Client,
  sample: Sample,
): Promise<Pick<Answer, 'status' | 'body' | 'text'>> {
  if (transport === 'tRPC' && typeOf(row) === 'subscription') return listenOnce(app, client)
  const { method, url, body } = addressOf(transport, row, sample)
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
  transport: Transport,
  { status, body }: Pick<Answer, 'status' | 'body'>,
): string | undefined {
  const error = transport === 'REST' ? body : (body as { error?: object } | undefined)?.error
  if (typeof error !== 'object' || error === null) return undefined
  const { message, ...rest } = error as { message: unknown }
  const { code, data = {}, ...others } = rest as { code?: number; data?: TrpcErrorData }
  const { httpStatus, code: _name, fieldErrors: _fields, ...moreData } = data
  const unknown = transport === 'REST' ? rest : { ...others, ...moreData }
  const isPlain = Object.keys(unknown).length === 0
  const isConsistent = transport === 'REST' || (typeof code === 'number' && httpStatus === status)
  return isPlain && isConsistent && typeof message === 'string' ? message : undefined
}
