import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { updateConnectionInput, type Connection } from '../../../shared/schemas/connection'
import { createSupplierUser } from '../../testing/factories'
import { fillSchema } from '../../testing/growth/schema-inputs'
import { openTestApp, type Client, type TestApp } from '../../testing/test-app'

const settings = {
  name: 'Feed',
  type: 'URL',
  fileFormat: 'CSV',
  syncFrequency: 60,
  config: { url: 'https://feeds.example/a.csv' },
  isActive: false,
}

/** A value for every setting; where there is a choice, it differs from `settings`. */
const [everySetting] = fillSchema(updateConnectionInput.omit({ id: true }), {
  text: 'https://feeds.example/b.csv',
  items: 1,
}) as [object]

let testApp: TestApp
let client: Client

beforeEach(async () => {
  testApp = await openTestApp()
  client = await testApp.signIn(await createSupplierUser(testApp.deps))
})
afterEach(() => testApp.close())

async function listBoth() {
  const rest = await client.request('GET', '/api/connections')
  const trpc = await client.call('query', 'connections.list')
  return [rest.body, (trpc.body as { result: { data: unknown } }).result.data]
}

describe('every setting of a connection', () => {
  const given = { ...everySetting, isActive: false }

  it('is returned as it was given when the connection was created', async () => {
    const created = await client.request('POST', '/api/connections', given)
    expect([created.status, created.body]).toMatchObject([201, given])
    expect(await listBoth()).toMatchObject([[given], [given]])
  })

  it('is returned as it was given in an update', async () => {
    const { body } = await client.request('POST', '/api/connections', settings)
    const { id } = body as Connection
    const changed = await client.request('PATCH', `/api/connections/${id}`, given)
    expect([changed.status, changed.body]).toMatchObject([200, given])
    expect(await listBoth()).toMatchObject([[given], [given]])
  })

  it('stays unchanged when an update leaves it out', async () => {
    const { body } = await client.request('POST', '/api/connections', given)
    const { id } = body as Connection
    await client.request('PATCH', `/api/connections/${id}`, { name: 'Another name' })
    const expected = { ...given, name: 'Another name' }
    expect(await listBoth()).toMatchObject([[expected], [expected]])
  })
})
