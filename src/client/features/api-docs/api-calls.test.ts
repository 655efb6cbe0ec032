import { describe, expect, it } from 'vitest'

import type { ApiDescription, ApiOperation } from '../../../shared/openapi'
import { findEvents, forRole, groupCalls, listScopes, nameCallers } from './api-calls'

const SESSION: ApiOperation['security'] = [{ session: [] }]

const operation = (summary: string, tag: string, more: Partial<ApiOperation> = {}) => ({
  operationId: summary,
  summary,
  description: '',
  tags: [tag],
  security: [],
  responses: {},
  ...more,
})

const event = { properties: { data: { properties: { reason: {} } } } }
const toBody = () => {
  const schema = { $ref: '#/components/schemas/FeedFailedEvent' }
  return { requestBody: { required: true, content: { 'application/json': { schema } } } }
}

const storeName = { type: 'object', properties: { storeName: { type: 'string' } } }
const description: ApiDescription = {
  openapi: '3.1.0',
  info: {
    title: 'API',
    version: '1',
    description: '',
    contact: { name: '' },
    license: { name: '', identifier: '' },
  },
  servers: [],
  tags: [
    { name: 'Suppliers', description: 'Companies' },
    { name: 'Retailers', description: 'Stores' },
  ],
  paths: {
    '/api/retailers/{id}': {
      patch: operation('Change a retailer', 'Retailers', {
        requestBody: { required: true, content: { 'application/json': { schema: storeName } } },
      }),
      delete: operation('Delete a retailer', 'Retailers', {
        description: 'Its login goes, too.',
        parameters: [{ name: 'id', in: 'path', required: true, schema: {} }],
      }),
    },
    '/api/suppliers': { get: operation('List all suppliers', 'Suppliers') },
  },
  webhooks: {
    'feed.failed': { post: { ...operation('Feed fails', 'Webhooks', toBody()), parameters: [] } },
    test: { post: { ...operation('A test', 'Webhooks'), parameters: [] } },
  },
  components: {
    schemas: { FeedFailedEvent: event },
    responses: {},
    parameters: {},
    headers: {},
    securitySchemes: {},
  },
}
const find = (query: string) =>
  groupCalls(description, query).flatMap(({ name, calls }) =>
    calls.map(({ method, path }) => `${name}: ${method} ${path}`),
  )

describe('groupCalls', () => {
  it('groups calls by tag, in the order of the tags', () => {
    expect(find('')).toEqual([
      'Suppliers: get /api/suppliers',
      'Retailers: patch /api/retailers/{id}',
      'Retailers: delete /api/retailers/{id}',
    ])
  })

  it.each([
    ['a method', 'DELETE', ['Retailers: delete /api/retailers/{id}']],
    ['a part of a path', 'api/supp', ['Suppliers: get /api/suppliers']],
    ['words in any order', 'retailer change', ['Retailers: patch /api/retailers/{id}']],
    ['a note', 'login goes', ['Retailers: delete /api/retailers/{id}']],
    ['a field of a body', 'storename', ['Retailers: patch /api/retailers/{id}']],
    ['words that match nothing', 'delete supplier', []],
  ])('finds calls by %s', (_what, query, found) => {
    expect(find(query)).toEqual(found)
  })

  it.each([
    [{ security: [] }, ['Anyone']],
    [{ security: SESSION }, ['Any signed-in user']],
    [
      { security: SESSION, 'x-roles': ['SUPPLIER', 'SUPER_ADMIN'] },
      ['Suppliers', 'Administrators'],
    ],
  ])('names the callers of %j as %j', (access, callers) => {
    expect(nameCallers(operation('Call', 'Suppliers', access))).toEqual(callers)
  })
})

describe('listScopes', () => {
  it('names the scopes of which a key needs one', () => {
    const security = [...SESSION, { key: ['read'] }, { key: ['upload'] }]
    expect(listScopes({ security })).toEqual(['read', 'upload'])
    expect(listScopes({ security: SESSION })).toEqual([])
  })
})

describe('findEvents', () => {
  it.each([
    ['nothing', '', ['feed.failed', 'test']],
    ['a type', 'feed.failed', ['feed.failed']],
    ['a field of its data', 'reason', ['feed.failed']],
    ['its name', 'a TEST', ['test']],
    ['what all are', 'event webhooks', ['feed.failed', 'test']],
    ['words that match nothing', 'feed backup', []],
  ])('finds events by %s', (_what, query, found) => {
    expect(findEvents(description, query).map(({ type }) => type)).toEqual(found)
  })
})

describe('forRole', () => {
  const suppliers = { security: SESSION, 'x-roles': ['SUPPLIER'] }
  const administrators = { security: SESSION, 'x-roles': ['SUPER_ADMIN'] }
  const limited: ApiDescription = {
    ...description,
    paths: {
      '/api/user': { get: operation('Get the user', 'Suppliers', { security: SESSION }) },
      '/feeds/{token}/inventory.csv': { get: operation('Read a feed', 'Retailers') },
      '/api/connections': {
        get: operation('List connections', 'Suppliers', suppliers),
        post: operation('Add a connection', 'Suppliers', administrators),
      },
    },
    webhooks: {
      'feed.failed': {
        post: {
          ...operation('Feed fails', 'Webhooks', { ...toBody(), ...suppliers }),
          parameters: [],
        },
      },
      'backup.failed': {
        post: {
          ...operation('Backup fails', 'Webhooks', { ...toBody(), ...administrators }),
          parameters: [],
        },
      },
    },
  }
  const EVERYBODYS = ['Get the user', 'Read a feed']

  it.each([
    ['SUPPLIER', ['Get the user', 'List connections', 'Read a feed'], ['feed.failed']],
    ['SUPER_ADMIN', ['Get the user', 'Add a connection', 'Read a feed'], ['backup.failed']],
    ['RETAILER', EVERYBODYS, []],
    [
      undefined,
      ['Get the user', 'List connections', 'Add a connection', 'Read a feed'],
      ['feed.failed', 'backup.failed'],
    ],
  ] as const)('has the calls and events of %s', (role, calls, events) => {
    const own = forRole(limited, role)
    const found = groupCalls(own, '').flatMap((group) => group.calls)
    expect(found.map((call) => call.operation.summary)).toEqual(calls)
    expect(findEvents(own, '').map(({ type }) => type)).toEqual(events)
  })
})
