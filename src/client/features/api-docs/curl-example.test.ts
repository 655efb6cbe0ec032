import { describe, expect, it } from 'vitest'

import type { ApiMethod, ApiOperation } from '../../../shared/openapi'
import { toCurl } from './curl-example'

const ORIGIN = 'https://stock.example'

function example(address: string, more: Partial<ApiOperation> = {}) {
  const [method, path] = address.split(' ') as [ApiMethod, string]
  const operation: ApiOperation = {
    operationId: 'call',
    summary: 'Call',
    description: '',
    tags: [],
    security: [{ session: [] }],
    responses: {},
    ...more,
  }
  return toCurl({ method, path, operation }, ORIGIN).split(' \\\n  ')
}

const taking = (body: object) => ({
  requestBody: { required: true, content: { 'application/json': { schema: {}, example: body } } },
})

describe('toCurl', () => {
  it('stores the session cookie on login and sends it with other calls', () => {
    expect(example('post /api/logout')[0]).toBe('curl -b cookies.txt')
    const body = taking({ username: 'summit', password: 'a long password' })
    expect(example('post /api/login', { security: [], ...body })).toEqual([
      'curl -c cookies.txt',
      `-H 'content-type: application/json'`,
      `-d '{"username":"summit","password":"a long password"}'`,
      `'${ORIGIN}/api/login'`,
    ])
  })

  it('sends a key where that is enough', () => {
    const security: ApiOperation['security'] = [{ session: [] }, { key: ['read'] }]
    expect(example('get /api/user', { security })).toEqual([
      'curl -H "Authorization: Bearer $STOCKBRIDGE_KEY"',
      `'${ORIGIN}/api/user'`,
    ])
  })

  it('adds -X where curl would default to another method', () => {
    expect(example('delete /api/retailers/{id}')).toContain('-X DELETE')
    expect(example('post /api/logout')).toContain('-X POST')
    expect(example('get /api/user').join()).not.toContain('-X')
  })

  it('fills in each path parameter', () => {
    const parameters = Object.entries({ id: 1, fileName: 'inventory.csv' }).map(
      ([name, value]) => ({
        name,
        in: 'path' as const,
        required: true,
        schema: {},
        example: value,
      }),
    )
    const address = example('get /api/retailers/{id}/files/{fileName}', { parameters }).at(-1)
    expect(address).toBe(`'${ORIGIN}/api/retailers/1/files/inventory.csv'`)
  })

  it('saves a file under its own name', () => {
    const file = { description: 'The file', content: { 'text/csv': { schema: {} } } }
    expect(example('get /api/file', { responses: { 200: file } })).toContain('-OJ')
  })
})
