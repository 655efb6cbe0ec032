import { describe, expect, it } from 'vitest'

import type { ApiMethod, ApiOperation, JsonSchema } from '../../../shared/openapi'
import { toCurl } from './curl-example'

const ORIGIN = 'https://stock.example'

function example(address: string, more: Partial<ApiOperation> = {}) {
  const [method, path] = address.split(' ') as [ApiMethod, string]
  const operation = {
    operationId: 'call',
    summary: 'Call',
    tags: [],
    security: [{ session: [] }],
    responses: {},
    ...more,
  }
  return toCurl({ method, path, operation }, ORIGIN).split(' \\\n  ')
}

const taking = (schema: JsonSchema) => ({
  requestBody: { required: true, content: { 'application/json': { schema } } },
})

describe('toCurl', () => {
  it('stores the session cookie on login and sends it with other calls', () => {
    expect(example('get /api/user')).toEqual(['curl -b cookies.txt', `'${ORIGIN}/api/user'`])
    const properties = { username: { type: 'string' }, password: { type: 'string' } }
    const body = taking({ properties, required: ['username', 'password'] })
    expect(example('post /api/login', { security: [], ...body })).toEqual([
      'curl -c cookies.txt',
      `-H 'content-type: application/json'`,
      `-d '{"username":"summit","password":"a long password"}'`,
      `'${ORIGIN}/api/login'`,
    ])
  })

  it('adds -X where curl would default to another method', () => {
    expect(example('delete /api/retailers/{id}')).toContain('-X DELETE')
    expect(example('post /api/logout')).toContain('-X POST')
    expect(example('get /api/user').join()).not.toContain('-X')
  })

  it('fills in each path parameter', () => {
    const address = example('get /api/retailers/{id}/files/{fileName}').at(-1)
    expect(address).toBe(`'${ORIGIN}/api/retailers/1/files/inventory.csv'`)
  })

  it('saves a file under its own name', () => {
    const file = { description: 'The file', content: { 'text/csv': { schema: {} } } }
    expect(example('get /api/file', { responses: { 200: file } })).toContain('-OJ')
  })

  it('sends the required fields, or the first field when none is required', () => {
    const auth = { oneOf: [{ properties: { type: { const: 'none' } }, required: ['type'] }] }
    const properties = {
      url: { type: 'string' },
      type: { enum: ['URL'] },
      isActive: { type: 'boolean' },
      supplierId: { anyOf: [{ type: 'integer', exclusiveMinimum: 0 }, { type: 'null' }] },
      categories: { type: 'array' },
      auth,
    }
    const required = Object.keys(properties)
    expect(example('patch /api/x', taking({ properties, required }))).toContain(
      `-d '{"url":"https://example.com/inventory.csv","type":"URL","isActive":true,"supplierId":1,"categories":[],"auth":{"type":"none"}}'`,
    )
    expect(example('patch /api/x', taking({ properties }))).toContain(
      `-d '{"url":"https://example.com/inventory.csv"}'`,
    )
  })
})
