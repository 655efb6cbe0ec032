import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { UserRecord } from '../../../features/people/accounts/users.queries'
import { createLinkedRetailer, createMember, createSupplierUser } from '../../fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

let testApp: TestApp
let supplier: UserRecord
let owner: Client
beforeEach(async () => {
  testApp = await openTestApp()
  supplier = await createSupplierUser(testApp.deps)
  owner = await testApp.signIn(supplier)
})
afterEach(() => testApp.close())

const addMember = async (role: 'OWNER' | 'EDITOR' | 'VIEWER') => {
  const member = await createMember(testApp.deps, supplier, role)
  return { member, client: await testApp.signIn(member) }
}
const listPeople = async () => {
  const { body } = await owner.call('query', 'people.list', {})
  return (body as { result: { data: object[] } }).result.data
}
const isSignedIn = async (client: Client) =>
  (await client.request('GET', '/api/user')).status === 200

describe('a person of a company', () => {
  it('signs in with an own password, and is told the company’s id, role and name with the own username', async () => {
    const { member, client } = await addMember('EDITOR')
    const { body } = await client.request('GET', '/api/user')
    expect(body).toMatchObject({
      id: supplier.id,
      role: 'SUPPLIER',
      companyName: supplier.companyName,
      username: member.username,
      member: { id: member.id, role: 'EDITOR' },
    })
    const ofFirst = await owner.request('GET', '/api/user')
    expect(ofFirst.body).toMatchObject({ id: supplier.id, username: supplier.username })
    expect(ofFirst.body).not.toHaveProperty('member')
  })

  it('sees what the company sees, by the id of the company', async () => {
    const retailer = await createLinkedRetailer(testApp.deps, supplier)
    const { client } = await addMember('VIEWER')
    const { body } = await client.request('GET', '/api/retailers')
    expect(body).toMatchObject([{ id: retailer.id, supplierId: supplier.id }])
  })

  it('changes the own password, which ends the own other sessions and nobody else’s', async () => {
    const { member, client } = await addMember('VIEWER')
    const other = await testApp.signIn(member)
    const passwords = { currentPassword: 'correct horse', newPassword: 'another horse' }
    const { status } = await client.request('POST', '/api/admin/reset-password', passwords)
    expect(status).toBe(200)
    expect([await isSignedIn(client), await isSignedIn(other), await isSignedIn(owner)]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('cannot end feed addresses with the own password without the right to', async () => {
    const { client } = await addMember('VIEWER')
    const { status } = await client.request('POST', '/api/admin/reset-password', {
      currentPassword: 'correct horse',
      newPassword: 'another horse',
      endsFeedAddresses: true,
    })
    expect(status).toBe(403)
  })

  it('is named in the audit log, with the company’s role', async () => {
    const { member, client } = await addMember('EDITOR')
    await client.request('POST', '/api/connections', {
      name: 'Stock',
      type: 'URL',
      fileFormat: 'CSV',
      syncFrequency: 60,
      config: { url: 'https://example.com/stock.csv' },
    })
    const entries = await testApp.deps.db
      .selectFrom('auditEntries')
      .selectAll()
      .where('action', '=', 'connection.create')
      .execute()
    expect(entries).toMatchObject([
      {
        actorId: member.id,
        actorName: member.username,
        actorRole: 'SUPPLIER',
        supplierId: supplier.id,
      },
    ])
  })

  it('is signed out with the company when that is deactivated', async () => {
    const { client } = await addMember('EDITOR')
    const { db } = testApp.deps
    await db.updateTable('users').set({ isActive: false }).where('id', '=', supplier.id).execute()
    expect(await isSignedIn(client)).toBe(false)
  })
})

describe('an owner', () => {
  it('lists the people of the company, the first login before the others', async () => {
    const { member } = await addMember('VIEWER')
    expect(await listPeople()).toMatchObject([
      { id: supplier.id, role: 'OWNER', isFirst: true, isSelf: true },
      { id: member.id, role: 'VIEWER', isFirst: false, isSelf: false },
    ])
  })

  it('changes the role of a person, which counts from the next call', async () => {
    const { member, client } = await addMember('VIEWER')
    const profile = {
      companyName: 'Acme',
      publicEmail: null,
      publicPhone: null,
      publicWebsite: null,
    }
    const save = async () =>
      (await client.call('mutation', 'suppliers.updateProfile', profile)).status
    expect(await save()).toBe(403)
    await owner.call('mutation', 'people.setRole', { personId: member.id, role: 'OWNER' })
    expect(await save()).toBe(200)
  })

  it('gives nobody a role of other companies', async () => {
    const { member } = await addMember('VIEWER')
    const call = { personId: member.id, role: 'BUYER' }
    expect((await owner.call('mutation', 'people.setRole', call)).status).toBe(400)
  })

  it('takes a person’s access away, which ends the sessions at once, and gives it again', async () => {
    const { member, client } = await addMember('EDITOR')
    const set = (isActive: boolean) =>
      owner.call('mutation', 'people.setActive', { personId: member.id, isActive })
    await set(false)
    expect(await isSignedIn(client)).toBe(false)
    await expect(testApp.signIn(member)).rejects.toThrow('could not sign in')
    await set(true)
    expect(await isSignedIn(await testApp.signIn(member))).toBe(true)
  })

  it('removes a person, whose username is free again', async () => {
    const { member, client } = await addMember('EDITOR')
    await owner.call('mutation', 'people.remove', { personId: member.id })
    expect(await isSignedIn(client)).toBe(false)
    expect(await listPeople()).toHaveLength(1)
  })

  it('can be removed unless it is the last one', async () => {
    const remove = (client: Client, personId: number) =>
      client.call('mutation', 'people.remove', { personId })
    expect((await remove(owner, supplier.id)).status).toBe(409)
    const second = await addMember('OWNER')
    expect((await remove(second.client, supplier.id)).status).toBe(200)
    expect(await isSignedIn(owner)).toBe(false)
    expect((await remove(second.client, second.member.id)).status).toBe(409)
    // The company stays, with its id.
    const { body } = await second.client.request('GET', '/api/user')
    expect(body).toMatchObject({ id: supplier.id, companyName: supplier.companyName })
  })

  it('stays an owner as long as no other one is left', async () => {
    const second = await addMember('OWNER')
    await second.client.call('mutation', 'people.remove', { personId: supplier.id })
    const own = { personId: second.member.id }
    const demoted = await second.client.call('mutation', 'people.setRole', {
      ...own,
      role: 'VIEWER',
    })
    const closed = await second.client.call('mutation', 'people.setActive', {
      ...own,
      isActive: false,
    })
    expect([demoted.status, closed.status]).toEqual([409, 409])
    expect(await isSignedIn(second.client)).toBe(true)
  })
})
