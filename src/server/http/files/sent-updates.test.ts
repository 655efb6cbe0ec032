import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Connection, SourcePreview } from '../../../shared/schemas/connection'
import { createSupplierUser } from '../../testing/fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'

const FULL = 'sku,qty\r\n1,5\r\n2,7\r\n'
const UPDATE = 'sku,qty,action\n1,6,\n3,1,\n'
const UPDATES = { removal: { column: 'action', value: 'delete' }, fullName: 'full-*' }

let testApp: TestApp
let supplier: Client
let id: number

beforeEach(async () => {
  testApp = await openTestApp()
  supplier = await testApp.signIn(await createSupplierUser(testApp.deps))
  const { body, status } = await supplier.request('POST', '/api/connections', {
    name: 'Stock',
    type: 'URL',
    fileFormat: 'CSV',
    syncFrequency: 60,
    config: {},
    updates: UPDATES,
  })
  if (status !== 201) throw new Error(`The connection was not created: ${status}`)
  ;({ id } = body as Connection)
})
afterEach(() => testApp.close())

const put = (body: string, query = '') =>
  supplier.request('PUT', `/api/connections/${id}/file${query}`, body, { prefer: 'wait=20' })
const patch = async (updates: unknown) =>
  supplier.request('PATCH', `/api/connections/${id}`, { updates })

describe('files that have only what has changed, over REST', () => {
  it('are merged onto the full one, which its sender or its name tells', async () => {
    expect((await put(UPDATE)).body).toMatchObject({ state: 'refused' })
    expect((await put(FULL, '?full=true')).body).toMatchObject({ state: 'published', rows: 2 })
    expect((await put(UPDATE, '?name=u.csv')).body).toMatchObject({ state: 'published', rows: 2 })
    const { body } = await supplier.request('GET', `/api/connections/${id}/runs`)
    expect(body).toMatchObject([
      { rows: 3, update: { items: 2, changed: 1, added: 1, removed: 0 } },
      { rows: 2, update: null },
      { outcome: 'failed', update: null },
    ])
    expect((await put(FULL, '?name=full-2.csv')).body).toMatchObject({ state: 'published' })
    expect((await put(UPDATE, '?name=full-3.csv&full=false')).body).toMatchObject({ rows: 2 })
  })

  it('are refused with a query that says something else', async () => {
    expect(await put(FULL, '?full=1')).toMatchObject({
      status: 400,
      body: { message: 'full must be true or false' },
    })
  })

  it('are previewed with what they would do', async () => {
    await put(FULL, '?full=true')
    const preview = async (query: string) => {
      const path = `/api/connections/preview-file?connectionId=${id}&${query}`
      return (await supplier.request('POST', path, UPDATE)).body as SourcePreview
    }
    const counts = { items: 2, changed: 1, added: 1, removed: 0 }
    expect((await preview('name=u.csv')).update).toEqual({ isFull: false, counts })
    expect((await preview('name=full-1.csv')).update).toEqual({ isFull: true, counts: null })
    expect((await preview('full=true')).update).toEqual({ isFull: true, counts: null })
    expect((await preview('updates=null')).update).toBeNull()
    const settings = encodeURIComponent(JSON.stringify({ fullName: 'u*' }))
    expect((await preview(`name=u.csv&updates=${settings}`)).update).toMatchObject({ isFull: true })
    expect(await preview('updates=none')).toEqual({ message: 'updates must be JSON' })
  })

  it('are set with the connection', async () => {
    const stored = async () => {
      const { body } = await supplier.request('GET', '/api/connections')
      return (body as Connection[])[0]!.updates
    }
    expect(await stored()).toEqual({ ...UPDATES, nextIsFull: false, gap: null })
    expect(await patch({ removal: { column: 'action', value: ' ' } })).toMatchObject({
      status: 400,
      body: { message: 'Enter the value that removes an item' },
    })
    expect(await patch({ nextIsFull: true })).toMatchObject({ status: 200 })
    expect(await stored()).toEqual({ removal: null, fullName: null, nextIsFull: true, gap: null })
    await patch(null)
    expect(await stored()).toBeNull()
  })
})
