import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import packageJson from '../../../../package.json'
import type { ApiDescription, ApiResponse } from '../../../shared/openapi'
import { createFeedAddress } from '../../features/distribution/feed-addresses/feed-addresses'
import { startSourceServer, type SourceServer } from '../../testing/servers/source-server'
import { openWorld, type World } from '../../testing/stages/world'

let sourceServer: SourceServer
let world: World
let description: ApiDescription
let address: string

beforeAll(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  const { deps } = world.testApp
  address = (await createFeedAddress(deps, world.retailer.user, world.retailer.id)).path
  const { text } = await world.testApp.client().request('GET', '/api/openapi.json')
  description = JSON.parse(text) as ApiDescription
})
afterAll(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

const operationOf = (path: string) => description.paths[path]!.get!
const feedAddressOperation = () => operationOf('/feeds/{token}/inventory.csv')

function responseOf(status: number): ApiResponse {
  const response = feedAddressOperation().responses[status]!
  if (!('$ref' in response)) return response
  return description.components.responses[response.$ref.split('/').at(-1)!]!
}

describe('a feed address in the description of the API', () => {
  it('needs no session, but its token', () => {
    expect(feedAddressOperation()).toMatchObject({ security: [], tags: ['Feed addresses'] })
    expect(feedAddressOperation().parameters).toContainEqual(
      expect.objectContaining({ name: 'token', in: 'path', required: true }),
    )
  })

  it('has its query and the headers of conditions', () => {
    const named = (place: string, parameters = feedAddressOperation().parameters ?? []) =>
      parameters.filter((parameter) => parameter.in === place).map(({ name }) => name)
    expect(named('query')).toEqual(['format', 'since'])
    expect(named('header')).toEqual([
      'If-Match',
      'If-Unmodified-Since',
      'If-None-Match',
      'If-Modified-Since',
      'Range',
      'If-Range',
    ])
    const download = operationOf('/api/retailers/{id}/files/{fileName}').parameters
    expect(named('query', download)).toEqual(['format'])
    expect(named('header', download)).toEqual(['If-Match', 'If-None-Match', 'Range', 'If-Range'])
  })

  it.each([
    [200, '', {}],
    [200, '?format=json', {}],
    [200, '?since=x', {}],
    [206, '', { range: 'bytes=1-' }],
    [304, '', { 'if-none-match': '*' }],
    [400, '?format=xml', {}],
    [412, '', { 'if-match': '"other"' }],
    [416, '', { range: 'bytes=9999-' }],
  ])('has the answer %s to %s with %j', async (status, query, headers) => {
    const get = () => world.testApp.client().request('GET', address + query, undefined, headers)
    let answer = await get()
    if (answer.status === 503) {
      await world.testApp.deps.work()
      answer = await get()
    }
    expect(answer.status).toBe(status)
    const described = responseOf(status)
    const [mediaType = ''] = String(answer.headers['content-type']).split(';')
    const hasType = Object.keys(described.content ?? {}).includes(mediaType)
    expect(hasType).toBe(answer.text !== '')
    const names = Object.keys(described.headers ?? {}).filter((name) => name !== 'Last-Modified')
    expect(Object.keys(answer.headers)).toEqual(
      expect.arrayContaining(names.map((name) => name.toLowerCase())),
    )
  })

  it('says that it is throttled, and that a file is not ready, with when to try again', () => {
    for (const status of [429, 503]) {
      expect(responseOf(status).headers).toHaveProperty('Retry-After')
    }
  })
})

describe('the description of the API itself', () => {
  it('names its version, its licence and whom to ask', () => {
    expect(description.info).toMatchObject({
      version: packageJson.version,
      license: { name: packageJson.license, identifier: packageJson.license },
      contact: { name: 'Stockbridge' },
    })
    expect(description.servers).toHaveLength(1)
  })

  it('describes each operation, tag and parameter of a header', () => {
    for (const { name, description: text } of description.tags) {
      expect([name, text]).toEqual([name, expect.stringMatching(/\w/)])
    }
    for (const operation of Object.values(description.paths).flatMap((path) =>
      Object.values(path),
    )) {
      const { operationId, summary, description: text, responses, parameters = [] } = operation
      expect([operationId, text]).toEqual([operationId, expect.stringMatching(/\w\.$/)])
      expect(summary).not.toMatch(/\.$/)
      expect(Object.keys(responses).some((status) => status.startsWith('4'))).toBe(true)
      for (const parameter of parameters) {
        const isNamed = parameter.in !== 'header' || (parameter.description ?? '') !== ''
        expect([operationId, parameter.name, isNamed]).toEqual([operationId, parameter.name, true])
      }
    }
  })
})
