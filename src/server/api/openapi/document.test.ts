import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { ApiDescription, ApiMethod, ApiOperation, ApiResponse } from '../../../shared/openapi'
import {
  findDocumentErrors,
  readSchemas,
  type FindErrors,
} from '../../testing/fixtures/openapi-schemas'
import { makeSample } from '../../testing/fixtures/samples'
import { startSourceServer, type SourceServer } from '../../testing/servers/source-server'
import { addressOf, apiCalls } from '../../testing/stages/transports'
import { openWorld, type World } from '../../testing/stages/world'
import { routeRoles } from '../route-roles'

const URL = '/api/openapi.json'
const calls = apiCalls.filter(({ transport }) => transport === 'REST')

let sourceServer: SourceServer
let world: World
let text: string
let description: ApiDescription
let findErrors: FindErrors

beforeAll(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  ;({ text } = await world.clients.owningSupplier.request('GET', URL))
  description = JSON.parse(text) as ApiDescription
  findErrors = readSchemas(description)
})
afterAll(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

/** Every operation with its path and method. */
const listOperations = () =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )

function operationOf(address: string): ApiOperation {
  const [method = '', path = ''] = address.split(' ')
  const methods = description.paths[path.replaceAll(/:(\w+)/g, '{$1}')]
  return methods![method.toLowerCase() as ApiMethod]!
}

function responseOf(operation: ApiOperation, status: number): ApiResponse | undefined {
  const response = operation.responses[status]
  if (!response || !('$ref' in response)) return response
  return description.components.responses[response.$ref.split('/').at(-1)!]
}

describe('the description of the API', () => {
  it('has exactly the routes below /api, the feed addresses and the upload links', () => {
    const described = listOperations().map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    )
    const served = Object.keys(routeRoles).filter((address) =>
      / \/(?:api|feeds|upload)\//.test(address),
    )
    const ofPage = 'GET /upload/:token'
    expect([...described, ofPage].toSorted()).toEqual(served.toSorted())
  })

  it('is valid OpenAPI 3.1', () => {
    expect(findDocumentErrors(description)).toEqual([])
    const { get } = description.paths['/api/user']!
    const wrong = { ...description, webhooks: { 'feed.published': { post: { ...get, tags: 1 } } } }
    expect(findDocumentErrors(wrong)).toContain('/webhooks/feed.published/post/tags must be array')
  })

  it('gives each operation a unique id, one described tag, and a summary', () => {
    const operations = listOperations().map(({ operation }) => operation)
    const ids = operations.map(({ operationId }) => operationId)
    expect(ids).toEqual([...new Set(ids)])
    const tags = new Set(operations.flatMap((operation) => operation.tags))
    expect([...tags].toSorted()).toEqual(description.tags.map(({ name }) => name).toSorted())
    for (const { operationId, tags: own, summary } of operations) {
      expect([operationId, own.length, summary.length > 5]).toEqual([operationId, 1, true])
      expect(operationId).toMatch(/^[a-z]+(?:[A-Z][a-z]+)+$/)
    }
  })

  it('describes every path parameter', () => {
    for (const { path, operation } of listOperations()) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      expect([path, described.map(({ name }) => name)]).toEqual([path, names])
    }
  })

  it('lists the roles that may call', () => {
    expect(operationOf('POST /api/login').security).toEqual([])
    expect(operationOf('GET /api/sessions').security).toEqual([{ session: [] }])
    expect(operationOf('GET /api/connections')).toMatchObject({
      security: [{ session: [] }, { key: ['read'] }],
      'x-roles': ['SUPPLIER', 'SUPER_ADMIN'],
      description: expect.stringMatching(/For suppliers and administrators\.$/) as string,
    })
  })

  it('names the scopes of which a key needs one', () => {
    const { security } = operationOf('GET /api/connections/:id/received-files')
    expect(security).toEqual([{ session: [] }, { key: ['read'] }, { key: ['upload'] }])
  })

  it('names the session cookie, and the header of keys', () => {
    const [name] = world.clients.owningSupplier.cookie!.split('=')
    expect(description.components.securitySchemes).toEqual({
      session: { type: 'apiKey', in: 'cookie', name, description: 'Set by POST /api/login' },
      key: { type: 'http', scheme: 'bearer', description: 'An API key, sb_…' },
    })
  })

  it('omits values that are coming soon', () => {
    const { schema } =
      operationOf('POST /api/connections').requestBody!.content['application/json']!
    expect(schema.properties).toMatchObject({
      type: { enum: ['URL'] },
      fileFormat: { enum: ['CSV'] },
    })
    expect(schema.required).toEqual(['name', 'type', 'fileFormat', 'syncFrequency', 'config'])
  })

  it('states the bounds of a list and of its items', () => {
    const { schema } = operationOf('PATCH /api/retailers/:id').requestBody!.content[
      'application/json'
    ]!
    expect(schema.properties!.visibilitySettings!.properties!.categories).toEqual({
      type: 'array',
      maxItems: 10_000,
      items: { type: 'string', minLength: 1, maxLength: 1_038 },
    })
  })

  it('is the same for everyone, with or without a session, and smaller than 345 KB', async () => {
    for (const client of [world.clients.ownRetailer, world.testApp.client()]) {
      expect((await client.request('GET', URL)).text).toBe(text)
    }
    for (const { username } of [world.supplier, world.retailer.user]) {
      expect(text).not.toContain(username)
    }
    expect(Buffer.byteLength(text)).toBeLessThan(345_000)
  })

  it('has an example of each body and path parameter, which matches its schema', () => {
    for (const { path, operation } of listOperations()) {
      const bodies = Object.values(operation.requestBody?.content ?? {})
      const params = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      for (const { schema, example } of [...bodies, ...params]) {
        expect([path, example]).not.toContain(undefined)
        expect([path, findErrors(schema, example)]).toEqual([path, []])
      }
    }
  })

  it('has a component for every reference, and no other', () => {
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)]
    expect(references.length).toBeGreaterThan(30)
    for (const [, kind = '', name = ''] of references) {
      expect(description.components).toHaveProperty([kind, name])
    }
    const used = new Set(references.map(([, kind, name]) => `${kind} ${name}`))
    const { schemas, responses, parameters, headers } = description.components
    const known = [
      ...Object.keys(schemas).map((name) => `schemas ${name}`),
      ...Object.keys(responses).map((name) => `responses ${name}`),
      ...Object.keys(parameters).map((name) => `parameters ${name}`),
      ...Object.keys(headers).map((name) => `headers ${name}`),
    ]
    expect(known.filter((name) => !used.has(name))).toEqual([])
  })
})

describe('requests and responses match the description', () => {
  it.each(calls)('$name', async (call) => {
    const { row, actor, status } = call
    const fresh = await openWorld(sourceServer)
    const operation = operationOf(row.route!)
    const sample = await makeSample(row, fresh, actor)
    const { method, url, body } = addressOf('REST', row, sample)
    const content = operation.requestBody?.content['application/json']
    const takesFile = operation.requestBody?.content['*/*'] !== undefined
    const errors = content ? findErrors(content.schema, body) : takesFile || body === undefined
    expect(errors).toEqual(content ? [] : true)

    const response = await fresh.clients[actor].request(method, url, body)
    await fresh.testApp.close()
    expect(response.status).toBe(status)
    const described = responseOf(operation, status)?.content ?? {}
    const [mediaType = ''] = String(response.headers['content-type']).split(';')
    expect(Object.keys(described)).toContain(mediaType)
    const { schema } = described[mediaType]!
    expect(findErrors(schema, response.body ?? response.text)).toEqual([])
  })

  it.each(calls.filter(({ row }) => row.expect.anonymous === 401))(
    '$name, without a session',
    async ({ row, actor }) => {
      const { method, url, body } = addressOf('REST', row, await makeSample(row, world, actor))
      const response = await world.clients.anonymous.request(method, url, body)
      const { content } = responseOf(operationOf(row.route!), response.status)!
      expect(findErrors(content!['application/json']!.schema, response.body)).toEqual([])
    },
  )

  it('and a mismatch is detected', () => {
    const schema = { $ref: '#/components/schemas/User' }
    expect(findErrors(schema, { id: 'one' })).toContain('/id must be integer')
    expect(findErrors({ $ref: '#/components/schemas/Error' }, { message: '', more: 1 })).toEqual([
      ' must NOT have additional properties',
    ])
  })
})
