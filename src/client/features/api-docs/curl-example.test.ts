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

describe('the example of a call', () => {
  it('sends the cookies that a sign-in has stored', () => {
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

  it('names the method where curl would take another', () => {
    expect(example('delete /api/retailers/{id}')).toContain('-X DELETE')
    expect(example('post /api/logout')).toContain('-X POST')
    expect(example('get /api/user').join()).not.toContain('-X')
  })

  it('has a value for each parameter of the path', () => {
    const address = example('get /api/retailers/{id}/files/{fileName}').at(-1)
    expect(address).toBe(`'${ORIGIN}/api/retailers/1/files/inventory.csv'`)
  })

  it('stores a file under its own name', () => {
    const file = { description: 'The file', content: { 'text/csv': { schema: {} } } }
    expect(example('get /api/file', { responses: { 200: file } })).toContain('-OJ')
  })

  it('has the required fields, or one field where none is', () => {
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
