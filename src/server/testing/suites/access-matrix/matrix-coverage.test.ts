import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import Fastify, { type HTTPMethods } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiRoutes } from '../../../api/api-routes'
import { definitionOf, procedurePaths, rolesOf } from '../../../api/procedures'
import { routeRoles, type RouteAddress } from '../../../api/route-roles'
import { requireStatedRoles } from '../../../http/guards/stated-roles'
import type { Access } from '../../../trpc/init'
import { writeClientFiles } from '../../fixtures/client-files'
import { nameOf } from '../../fixtures/samples'
import { openTestApp, type TestApp } from '../../stages/test-app'
import { ACTOR_ROLES, ACTORS } from './actors'
import { accessMatrix, type MatrixRow } from './matrix'

const addresses = Object.keys(routeRoles) as RouteAddress[]
const unique = (names: readonly string[]) => [...new Set(names)].toSorted()

describe('the access matrix', () => {
  it('has rows for exactly the existing routes and procedures', () => {
    const routes = accessMatrix.flatMap(({ route }) => route ?? [])
    const procedures = accessMatrix.flatMap(({ procedure }) => procedure ?? [])
    expect(unique(routes)).toEqual(unique(addresses))
    expect(unique(procedures)).toEqual(unique(procedurePaths))
  })

  it('has a unique name for each row', () => {
    const names = accessMatrix.map(nameOf)
    expect(names).toEqual([...new Set(names)])
  })

  it.each(accessMatrix.filter(({ route, procedure }) => route && procedure))(
    'names the procedure that $route calls',
    ({ route, procedure }) => {
      expect(apiRoutes).toHaveProperty([route!, 'procedure'], procedure)
    },
  )
})

describe('the running app', () => {
  let testApp: TestApp
  let clientDir: string

  beforeAll(async () => {
    clientDir = await mkdtemp(join(tmpdir(), 'stockbridge-client-'))
    await writeClientFiles(clientDir)
    testApp = await openTestApp({}, {}, { clientDir })
  })
  afterAll(async () => {
    await testApp.close()
    await rm(clientDir, { recursive: true })
  })

  it.each(addresses)('serves %s', (address) => {
    const [method = '', path = ''] = address.replace('ANY', 'GET').split(' ')
    const url = { '/:file': '/favicon.svg', '/assets/:file': '/assets/app-1a2b.js' }[path] ?? path
    expect(testApp.app.hasRoute({ method: method as HTTPMethods, url })).toBe(true)
  })

  it.each(['/api/reports', '/api/reports/:id', '/reports', '/trpc/more/:path', '/assets/a/b.js'])(
    'does not start with the route %s, which has no stated roles',
    (url) => {
      const app = Fastify()
      requireStatedRoles(app)
      expect(() => app.get(url, () => 'served')).toThrow(`No roles are stated for GET ${url}`)
    },
  )

  it('does not start with another method of a route that has stated roles', () => {
    const app = Fastify()
    requireStatedRoles(app)
    expect(() => app.delete('/api/user', () => 'served')).toThrow(
      'No roles are stated for DELETE /api/user',
    )
  })

  it('does not start with a procedure that has no stated roles', () => {
    const definition = definitionOf('backups.list')
    const { meta } = definition
    Object.assign(definition, { meta: { cost: 2 } })
    try {
      expect(() => requireStatedRoles(Fastify())).toThrow('No roles are stated for backups.list')
    } finally {
      Object.assign(definition, { meta })
    }
  })
})

type Call = { name: string; access: Access; rows: MatrixRow[] }

const calls: Call[] = [
  ...Object.entries(routeRoles).map(([name, access]) => ({
    name,
    access,
    rows: accessMatrix.filter(({ route }) => route === name),
  })),
  ...procedurePaths.map((name) => ({
    name,
    access: rolesOf(name),
    rows: accessMatrix.filter(({ procedure }) => procedure === name),
  })),
]

describe('the stated roles', () => {
  const limited = calls.flatMap(({ name, access, rows }) =>
    access === 'anyone' ? [] : [{ name, access, rows }],
  )

  it.each(limited)('are the only ones that may call $name', ({ access, rows }) => {
    for (const actor of ACTORS) {
      const role = ACTOR_ROLES[actor]
      if (role && access.includes(role)) continue
      const statuses = rows.map((row) => row.expect[actor])
      expect([actor, ...new Set(statuses)]).toEqual([actor, role ? 403 : 401])
    }
  })

  it.each(limited)('may each call $name', ({ access, rows }) => {
    for (const role of access) {
      const actors = ACTORS.filter((actor) => ACTOR_ROLES[actor] === role)
      const statuses = rows.flatMap((row) => actors.map((actor) => row.expect[actor]))
      expect([role, statuses.some((status) => status < 300)]).toEqual([role, true])
    }
  })
})
