import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { inTransaction } from '../../db/open'
import { updateConnectionRow } from '../../features/catalogue/connections/connections.queries'
import { findConnection } from '../../features/catalogue/connections/connections.queries'
import {
  createLinkedRetailer,
  createMember,
  createSupplierUser,
  PASSWORD,
} from '../../testing/fixtures/factories'
import { MARK, putMarkedCompany } from '../../testing/fixtures/personal-data'
import { putSecondFactor } from '../../testing/fixtures/second-factors'
import { openTestApp, type TestApp } from '../../testing/stages/test-app'

let testApp: TestApp

beforeEach(async () => {
  testApp = await openTestApp()
})
afterEach(() => testApp.close())

type Section = { section: string; records: Record<string, unknown>[] }

async function signIn(user: { id: number }) {
  const client = testApp.client()
  const { username } = await testApp.deps.db
    .selectFrom('users')
    .select('username')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  const { code } = await putSecondFactor(testApp.deps, user.id)
  await client.request('POST', '/api/login', { username, password: PASSWORD, code: code() })
  return client
}

async function read(user: { id: number }) {
  const response = await (await signIn(user)).request('GET', '/api/account/data.json')
  expect(response.status).toBe(200)
  const { sections } = response.body as { sections: Section[] }
  return { ...response, sections, names: [...new Set(sections.map(({ section }) => section))] }
}

const PERSON = [
  'account',
  'mail',
  'sessions',
  'secondFactor',
  'passkeys',
  'apiKeys',
  'addresses',
  'signInPlaces',
  'alertChoices',
  'digests',
  'notifications',
  'auditEntries',
]

describe('what is stored about somebody', () => {
  it('is that of the company too for an owner of a supplier, without anything secret', async () => {
    const { deps } = testApp
    const { supplier, connectionId } = await putMarkedCompany(deps, 'sku\n1\n')
    await inTransaction(deps.db, async (trx) => {
      const connection = (await findConnection(trx, connectionId, {}))!
      const config = {
        url: `https://${MARK}.example/key-4711/x.csv`,
        auth: { type: 'basic' as const, username: 'reader', sealed: 'sealed-4711' },
      }
      await updateConnectionRow(trx, connection, { config })
    })
    const { sections, names, text, headers } = await read(supplier)
    expect(headers['content-disposition']).toBe('attachment; filename="my-data.json"')
    expect(names).toEqual([
      ...PERSON,
      'people',
      'webhooks',
      'invitations',
      'groups',
      'card',
      'requests',
      'connection',
      'sftpLogins',
      'mailInbox',
      'mails',
      'itemHistory',
      'files',
      'retailers',
      'feedAddresses',
      'destinations',
      'dispatches',
      'downloads',
    ])
    expect(text).not.toContain('4711')
    expect(text).not.toContain('argon2')
    const recordsOf = (name: string) =>
      sections.filter(({ section }) => section === name).flatMap(({ records }) => records)
    expect(recordsOf('account')).toMatchObject([{ username: `${MARK} owner`, role: 'SUPPLIER' }])
    expect(recordsOf('retailers')).toMatchObject([{ storeName: `${MARK} store` }])
    expect(recordsOf('people')).toHaveLength(2)
    expect(recordsOf('downloads')).toMatchObject([{ fileName: `${MARK} file.csv` }])
  })

  it('is the person’s own for whoever is no owner, and never somebody else’s', async () => {
    const { editor, buyer } = await putMarkedCompany(testApp.deps, 'sku\n1\n')
    const { names, text } = await read(editor)
    expect(names).toEqual(PERSON)
    expect(text).toContain(`${MARK} editor`)
    for (const other of [`${MARK} owner`, `${MARK} store`, `person${buyer.id}@`]) {
      expect(text).not.toContain(other)
    }
  })

  it('is its own retailer for an owner of one, without the supplier’s', async () => {
    const { deps } = testApp
    const supplier = await createSupplierUser(deps)
    const { user } = await createLinkedRetailer(deps, supplier)
    await createLinkedRetailer(deps, supplier)
    await createMember(deps, supplier, 'EDITOR')
    const { sections, text } = await read(user)
    expect(sections.filter(({ section }) => section === 'retailers')).toMatchObject([
      { records: [{ username: user.username }] },
    ])
    expect(text).not.toContain(supplier.username)
  })

  it('is a line for each value as CSV, which spreadsheets do not run', async () => {
    const supplier = await createSupplierUser(testApp.deps, { companyName: '=1+1' })
    const client = await signIn(supplier)
    const { text } = await client.request('GET', '/api/account/data.csv')
    const lines = text.split('\r\n')
    expect(lines[0]).toBe('section,record,field,value')
    expect(lines).toContain(`account,1,username,${supplier.username}`)
    expect(lines).toContain("account,1,companyName,'=1+1")
  })

  it('is recorded when it is downloaded, and limited by person', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const client = await signIn(supplier)
    const statuses = []
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await client.request('GET', '/api/account/data.json')).status)
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429])
    const entries = await testApp.deps.db
      .selectFrom('auditEntries')
      .select(({ fn }) => fn.sum<number>('count').as('count'))
      .where('actorId', '=', supplier.id)
      .where('subjectId', '=', supplier.id)
      .where('action', '=', 'user.download-data')
      .execute()
    expect(entries).toEqual([{ count: 10 }])
    const other = await signIn(await createSupplierUser(testApp.deps))
    expect((await other.request('GET', '/api/account/data.csv')).status).toBe(200)
  })
})
