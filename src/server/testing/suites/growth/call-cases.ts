import { join } from 'node:path'

import { definitionOf, inputSchemaOf } from '../../../api/procedures'
import { defaultLimits, type Limits } from '../../../domain/limits'
import { writeClientFiles } from '../../fixtures/client-files'
import { mapValues } from '../../fixtures/map-values'
import type { Sample } from '../../fixtures/sampler'
import { makeSample } from '../../fixtures/samples'
import { startSourceServer } from '../../servers/source-server'
import type { Client } from '../../stages/test-app'
import { addressOf } from '../../stages/transports'
import { openWorld, type World } from '../../stages/world'
import { ACTORS } from '../access-matrix/actors'
import { accessMatrix, type MatrixRow } from '../access-matrix/matrix'
import type { Task } from './measure'
import { fillSchema } from './schema-inputs'
import { folder } from './stage'
import { FEW_TEXTS } from './texts'

/** Nearly half of the largest body, because some characters become two and more. */
const LARGEST_BODY = 120 * 1024
/** The largest head of a request, which has the input of a query. */
const LARGEST_HEAD = 16 * 1024
/** The longest parameter of a path. */
const LARGEST_PARAMETER = 5_000
/** About the size of an item in a body. */
const ITEM_BYTES = 64
/** Values for one input: more than any union has options. */
const MAX_VALUES = 6

export const UNLIMITED: Limits = mapValues(defaultLimits, (limit) => ({ ...limit, max: 1e9 }))

type Request = { method: string; url: string; body?: string }
type Caller = { client: Client; sample: Sample }

let sources: ReturnType<typeof startSourceServer> | undefined
let current: { name: string; world: World; caller: Caller } | undefined

/** A caller who may make the call of a case, in a world of its own: the call may change it. */
async function callerOf(name: string, row: MatrixRow): Promise<Caller> {
  if (current?.name === name) return current.caller
  await current?.world.testApp.close()
  const clientDir = join(folder, 'client')
  await writeClientFiles(clientDir)
  const world = await openWorld(await (sources ??= startSourceServer()), { clientDir })
  Object.assign(world.testApp.deps.limits, UNLIMITED)
  const actor = ACTORS.find((kind) => row.expect[kind] < 300) ?? 'anonymous'
  const caller = { client: world.clients[actor], sample: await makeSample(row, world, actor) }
  current = { name, world, caller }
  return caller
}

/** Sends requests, one after the other. */
async function send(input: unknown): Promise<number[]> {
  const { client, requests } = input as { client: Client; requests: Request[] }
  const statuses: number[] = []
  for (const { method, url, body } of requests) {
    const headers = body === undefined ? undefined : { 'content-type': 'application/json' }
    const { status } = await client.request(method, url, body, headers)
    if (status === 429 || (body && status === 413))
      throw new Error(`${url} was refused with ${status}`)
    statuses.push(status)
  }
  return statuses
}

const encode = (text: string) => encodeURIComponent(Buffer.from(text).toString())

/** A route with hostile parameters, and with a hostile query. */
function routeCase(route: string, row: MatrixRow): Task {
  const name = `route ${route}`
  const inputs = mapValues(FEW_TEXTS, (make) => async (size: number) => {
    const { client, sample } = await callerOf(name, row)
    const { method, url } = addressOf('REST', row, sample)
    const part = encode(make(Math.min(size, LARGEST_PARAMETER)))
    const [, path = ''] = route.split(' ')
    const query = encode(make(size))
    const hostile = path.replaceAll(/[:*]\w*/g, () => part)
    const keys = ['since', 'format', 'state', 'code', 'attempt', 'input', 'batch', 'noun', 'name']
    const requests = [
      { method, url: hostile },
      { method, url: `${url}?${query}` },
      { method, url: `${url}?${keys.map((key) => `${key}=${query}`).join('&')}` },
    ]
    return { client, requests }
  })
  return { run: send, inputs, largest: LARGEST_HEAD }
}

/** A procedure with hostile texts in all fields of its input, and with long lists. */
function callCase(procedure: NonNullable<MatrixRow['procedure']>, row: MatrixRow): Task {
  const name = `call ${procedure}`
  const schema = inputSchemaOf(procedure)
  const isMutation = definitionOf(procedure).type === 'mutation'
  const toRequest = (value: unknown): Request => {
    const body = JSON.stringify(value)
    const url = `/trpc/${procedure}`
    return isMutation
      ? { method: 'POST', url, body }
      : { method: 'GET', url: `${url}?input=${encode(body)}` }
  }
  const toInput = async (values: unknown[]) => {
    const { client } = await callerOf(name, row)
    return { client, requests: values.slice(0, MAX_VALUES).map(toRequest) }
  }
  const fill = (text: string, items: number) => (schema ? fillSchema(schema, { text, items }) : [])
  // The text is in each of the fields.
  const count = (value: unknown) => JSON.stringify(value).split('§').length - 1
  const fields = Math.max(1, ...fill('§', 1).map(count))
  const texts = mapValues(
    FEW_TEXTS,
    (make) => (size: number) => toInput(fill(make(size / fields), 1)),
  )
  const ofItems = (item: string) => (size: number) =>
    toInput(fill(item, Math.ceil(size / ITEM_BYTES / fields)))
  const inputs = { ...texts, 'many items': ofItems('x'), 'many bad items': ofItems('') }
  return { run: send, inputs, largest: isMutation ? LARGEST_BODY : LARGEST_HEAD }
}

/** A case for each route, and for each procedure. */
export const callCases: Record<string, Task> = {}
for (const row of accessMatrix) {
  const { route, procedure } = row
  if (route) callCases[`route ${route}`] ??= routeCase(route, row)
  if (procedure) callCases[`call ${procedure}`] ??= callCase(procedure, row)
}
