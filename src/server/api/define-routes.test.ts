import { describe, expect, it } from 'vitest'

import { defineRoutes } from './define-routes'

/** The type checker runs these tests: an unused `@ts-expect-error` is itself an error. */
describe('a row of the route table does not compile', () => {
  it('with a procedure that does not exist', () => {
    // @ts-expect-error -- there is no such procedure
    const table = defineRoutes({ 'GET /api/shops': { procedure: 'shops.list', summary: 'List' } })
    expect(table).toHaveProperty(['GET /api/shops'])
  })

  it('with a path parameter that is not in the input of its procedure', () => {
    const row = { procedure: 'retailers.delete', summary: 'Delete' } as const
    // @ts-expect-error -- the input calls it id
    const table = defineRoutes({ 'DELETE /api/retailers/:retailerId': row })
    expect(defineRoutes({ 'DELETE /api/retailers/:id': row })).not.toEqual(table)
  })

  it('without a summary', () => {
    // @ts-expect-error -- the summary is required
    const table = defineRoutes({ 'POST /api/logout': { procedure: 'session.logout' } })
    expect(table).toHaveProperty(['POST /api/logout'])
  })
})
