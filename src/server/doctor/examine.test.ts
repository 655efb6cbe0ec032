import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createDestinationInput } from '../../shared/schemas/destination'
import type { Config } from '../config'
import { openPostgres } from '../db/postgres/open-postgres'
import type { Deps } from '../domain/deps'
import { createConnection, updateConnection } from '../features/catalogue/connections/connections'
import { createDestination } from '../features/distribution/destinations/destinations'
import { createLinkedRetailer, createSupplierUser } from '../testing/fixtures/factories'
import { putBackup } from '../testing/fixtures/stock'
import { startMailServer } from '../testing/servers/mail-server'
import { startSourceServer, type SourceServer } from '../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../testing/stages/test-deps'
import { examine } from './examine'
import type { Finding } from './finding'

/** No program listens there. */
const CLOSED = '127.0.0.1:1'

let opened: TestDeps
let server: SourceServer

beforeEach(async () => {
  opened = await openTestDeps()
  server = await startSourceServer()
})
afterEach(async () => {
  await opened.close()
  await server.close()
})

/** What is found of a part with these settings. */
async function find(part: string, settings: Partial<Config> = {}, parts: Partial<Deps> = {}) {
  const config = { ...opened.config, ...settings }
  const findings = await examine({ ...opened, clock: Date, config, ...parts })
  return findings.filter((finding) => finding.part === part)
}

const isAdvised = (state: Finding['state'], text: string) => [
  { state, text: expect.stringContaining(text) as string, advice: expect.any(String) as string },
]

describe('the doctor', () => {
  it('finds nothing to do in a new installation', async () => {
    const config = { ...opened.config, bucket: undefined, proxyVariables: [] }
    const findings = await examine({ ...opened, clock: Date, config })
    expect(findings.map(({ part, state }) => [part, state])).toEqual([
      ['database', 'ok'],
      ['files', 'ok'],
      ['queue', 'ok'],
      ['mail', 'ok'],
      ['address', 'ok'],
      ['sign-in', 'ok'],
      ['metrics', 'ok'],
    ])
  })

  it('tells what of the newest backup was read back when', async () => {
    const { manifest } = await putBackup(opened)
    const readAt = `read back ${manifest.verifiedAt}, all files since ${manifest.createdAt}`
    expect(await find('backups')).toEqual([
      { part: 'backups', state: 'ok', text: expect.stringContaining(readAt) as string },
    ])
  })

  it('finds files that come without encryption, or with old one', async () => {
    const supplier = await createSupplierUser(opened)
    expect(await find('sources')).toEqual([])
    const auth = { type: 'basic', username: 'me', password: 'secret' } as const
    const config = {
      url: 'ftp://files.example/stock.csv',
      auth,
      transfer: { usesTls: false, allowsOld: true },
    }
    const { id } = await createConnection(opened, supplier, {
      name: 'Stock',
      type: 'URL',
      fileFormat: 'CSV',
      syncFrequency: 60,
      config,
      isActive: false,
    })
    expect(await find('sources')).toMatchObject([
      ...isAdvised('warning', '1 connection fetches its file without encryption'),
      ...isAdvised('warning', '1 connection fetches its file with old encryption'),
    ])
    const safe = { ...config, transfer: { usesTls: true, allowsOld: false } }
    await updateConnection(opened, supplier, { id, config: safe })
    expect(await find('sources')).toEqual([])
  })

  it('finds destinations that get files without encryption, or with old one', async () => {
    const { id, user } = await createLinkedRetailer(opened, await createSupplierUser(opened))
    expect(await find('destinations')).toEqual([])
    const input = createDestinationInput.parse({
      id,
      name: 'Warehouse',
      config: {
        url: 'ftp://files.example/in/',
        auth: { type: 'basic', username: 'me', password: 'secret' },
        transfer: { usesTls: false, allowsOld: true },
      },
    })
    await createDestination(opened, user, input)
    expect(await find('destinations')).toMatchObject([
      ...isAdvised('warning', '1 destination gets its file without encryption'),
      ...isAdvised('warning', '1 destination gets its file with old encryption'),
    ])
  })

  it('finds backups that cannot be read', async () => {
    const backups = { ...opened.backups, list: () => Promise.reject(new Error('broken')) }
    expect(await find('backups', {}, { backups })).toMatchObject(isAdvised('problem', 'broken'))
  })

  it('finds a database that does not answer', async () => {
    const postgresUrl = `postgres://somebody:secret@${CLOSED}/stock`
    const db = openPostgres(postgresUrl, () => undefined)
    const found = await find('database', { postgresUrl }, { db })
    await db.destroy()
    expect(found).toMatchObject(isAdvised('problem', `PostgreSQL at ${CLOSED}/stock`))
    expect(JSON.stringify(found)).not.toContain('secret')
  })

  it('finds a database that a newer version has migrated', async () => {
    await sql`insert into kysely_migration (name, timestamp) values ('9999-next', '')`.execute(
      opened.db,
    )
    expect(await find('database')).toMatchObject(isAdvised('problem', '9999-next'))
    await sql`delete from kysely_migration where name = '9999-next'`.execute(opened.db)
  })

  it('finds a disk without room', async () => {
    const found = await find('files', { minFreeBytes: Number.MAX_SAFE_INTEGER })
    expect(found).toMatchObject(isAdvised('problem', 'left'))
  })

  it('finds a Redis that does not answer', async () => {
    const found = await find('queue', { redisUrl: `redis://:secret@${CLOSED}` })
    expect(found).toMatchObject(isAdvised('problem', 'ECONNREFUSED'))
    expect(JSON.stringify(found)).not.toContain('secret')
  })

  it('finds a mail server that does not let us send', async () => {
    const mailServer = await startMailServer()
    const smtp = { url: mailServer.url, from: 'stock@example.com' }
    const sending = await openTestDeps({ smtp })
    expect(await find('mail', {}, sending)).toMatchObject([{ state: 'ok' }])
    await mailServer.close()
    expect(await find('mail', {}, sending)).toMatchObject(isAdvised('problem', 'mail server'))
    await sending.close()
  })

  it.each([
    ['ok', { body: '{"status":"ok"}' }],
    ['problem', { body: '<p>Welcome to nginx!</p>' }],
    ['warning', { status: 502 }],
  ])('finds a public address that is %s with %j', async (state, route) => {
    server.set('/healthz', route)
    expect(await find('address', { publicUrl: server.url('/') })).toMatchObject([{ state }])
  })

  it('warns of mails whose links lead nowhere', async () => {
    const smtp = { url: 'smtp://mail.example', from: 'stock@example.com' }
    expect(await find('address', { smtp })).toMatchObject([{ state: 'warning' }])
  })

  it('finds proxies that are not used', async () => {
    const proxyVariables = ['HTTPS_PROXY', 'http_proxy']
    expect(await find('network', { proxyVariables })).toMatchObject(
      isAdvised('warning', 'HTTPS_PROXY, http_proxy are set'),
    )
    expect(await find('network', { proxyVariables: [] })).toEqual([])
  })

  it('asks the proxy for fetching whether it is there, without telling its password', async () => {
    const fetchProxy = `http://user:s3cret@${server.host}`
    const [found] = await find('network', { fetchProxy })
    expect(found).toMatchObject({
      state: 'ok',
      text: expect.stringContaining(server.host) as string,
    })
    const [missing] = await find('network', { fetchProxy: fetchProxy.replace(server.host, CLOSED) })
    expect(missing).toMatchObject({ state: 'problem', advice: expect.any(String) as string })
    expect(JSON.stringify([found, missing])).not.toContain('s3cret')
  })

  it('finds an issuer that does not answer, or calls itself something else', async () => {
    const issuer = server.url('')
    const oidc = { issuer, clientId: 'a', clientSecret: 'b' } as NonNullable<Config['oidc']>
    expect(await find('sign-in', { oidc })).toMatchObject(isAdvised('problem', '404'))
    const path = '/.well-known/openid-configuration'
    server.set(path, { body: JSON.stringify({ issuer: 'https://other.example' }) })
    expect(await find('sign-in', { oidc })).toMatchObject(isAdvised('problem', 'other.example'))
    server.set(path, { body: JSON.stringify({ issuer }) })
    expect(await find('sign-in', { oidc })).toMatchObject([{ state: 'ok' }])
  })
})
