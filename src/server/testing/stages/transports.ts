import type { FastifyInstance } from 'fastify'

import { definitionOf, inputSchemaOf } from '../../api/procedures'
import type { Sample } from '../fixtures/sampler'
import { nameOf } from '../fixtures/samples'
import { ACTORS, type ActorKind } from '../suites/access-matrix/actors'
import { accessMatrix, type MatrixRow } from '../suites/access-matrix/matrix'
import { openLiveStream, type StreamError } from './live-stream'
import type { TestResponse, Client } from './test-app'

/** The transports, with the same checks and results. Routes without a procedure count as REST. */
const TRANSPORTS = ['REST', 'tRPC'] as const
export type Transport = (typeof TRANSPORTS)[number]

/** A row of the access matrix over one of its transports. */
export type MatrixCall = { name: string; transport: Transport; row: MatrixRow }

/** A call of the API with a caller who may make it. */
export type ApiCall = MatrixCall & {
  actor: ActorKind
  /** The status of its success. */
  status: number
}

/** The type of a row's procedure; null when it has none. */
export const typeOf = ({ procedure }: MatrixRow) => procedure && definitionOf(procedure).type

/** The input schema of a row's procedure; undefined when it has none. */
export const inputOf = ({ procedure }: MatrixRow) =>
  procedure === null ? undefined : inputSchemaOf(procedure)

/** Every row over each of its transports. */
export const matrixCalls: readonly MatrixCall[] = accessMatrix.flatMap((row) =>
  TRANSPORTS.filter((transport) => (transport === 'REST' ? row.route : row.procedure)).map(
    (transport) => ({ name: nameOf(row), transport, row }),
  ),
)

/** Every call of the API that at least one caller may make. */
export const apiCalls: readonly ApiCall[] = matrixCalls.flatMap((call) => {
  const { transport, row } = call
  const actor = ACTORS.find((kind) => row.expect[kind] < 300)
  const isOfApi = transport === 'tRPC' || row.route?.includes(' /api/')
  if (!actor || !isOfApi) return []
  return [{ ...call, actor, status: successOf(call, actor) }]
})

/** The status of a call by this caller: over tRPC every success is 200. */
export function successOf({ transport, row }: MatrixCall, actor: ActorKind): number {
  const status = row.expect[actor]
  return transport === 'tRPC' && status < 300 ? 200 : status
}

/** Whether the call neither changes data nor makes a request to another server. */
export function isRead({ transport, row }: MatrixCall): boolean {
  if (transport === 'REST') return !/^(?:POST|PUT|PATCH|DELETE) /.test(row.route ?? '')
  return typeOf(row) !== 'mutation'
}

export const writeCalls = apiCalls.filter((call) => !isRead(call))

/** The HTTP request for a row's call over a transport. */
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
): Promise<Pick<TestResponse, 'status' | 'body' | 'text'>> {
  if (transport === 'tRPC' && typeOf(row) === 'subscription') return listenOnce(app, client)
  const { method, url, body } = addressOf(transport, row, sample)
  return client.request(method, url, body)
}

/** Calls the stream, which always starts with 200; its first event is the result or the refusal. */
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

/** The paths of the fields named by a refusal over tRPC. */
export function readFieldPaths({ body }: Pick<TestResponse, 'body'>): string[] {
  const { error } = body as { error?: { data?: TrpcErrorData } }
  return Object.keys(error?.data?.fieldErrors ?? {})
}

/** The message of a refusal that contains nothing else; undefined for any other response. */
export function readRefusal(
  transport: Transport,
  { status, body }: Pick<TestResponse, 'status' | 'body'>,
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
