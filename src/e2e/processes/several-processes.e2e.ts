import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { openSecretBox } from '../../server/secrets/secret-box'
import {
  createRetailerUser,
  createSupplierUser,
  PASSWORD,
} from '../../server/testing/fixtures/factories'
import { figure, rounds } from '../../server/testing/fixtures/figures'
import { putInvitation } from '../../server/testing/fixtures/invitation-samples'
import { putPasskey } from '../../server/testing/fixtures/passkeys'
import { putPasswordLink } from '../../server/testing/fixtures/recovery-samples'
import { codeAt, putSecondFactor } from '../../server/testing/fixtures/second-factors'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import {
  ADMIN_PASSWORD,
  makeDataDir,
  removeDataDir,
  startProduct,
  type Product,
} from '../support/product'
import { createRestClient } from '../support/rest-client'

const LIMIT = 10
const ATTEMPTS = 50
const OPENED_AT_ONCE = 8

describe('several processes on one database', () => {
  let dataDir: string
  let products: Product[]

  beforeEach(async () => {
    dataDir = await makeDataDir()
    products = []
  })
  afterEach(async () => {
    await stopAll()
    await removeDataDir(dataDir)
  })

  const start = async (env?: Record<string, string>) =>
    void products.push(await startProduct(dataDir, env))
  const startConcurrently = (count: number, env?: Record<string, string>) =>
    Promise.all(Array.from({ length: count }, () => start(env)))
  const stopAll = () => Promise.all(products.splice(0).map((product) => product.stop()))
  const openDatabase = () => openTestDeps(readConfig({ DATA_DIR: dataDir }))

  async function expectOneInstallation() {
    const client = createRestClient(products[0]!.url)
    await client.signIn('admin', ADMIN_PASSWORD)
    const headers = { cookie: client.cookie() }
    for (const { url } of products) {
      const response = await fetch(`${url}/api/user`, { headers })
      expect(await response.json()).toMatchObject({ id: 1, username: 'admin' })
    }
    const deps = await openDatabase()
    const migrations = await sql<{ name: string }>`select name from kysely_migration`.execute(
      deps.db,
    )
    const users = await deps.db.selectFrom('users').select('username').execute()
    await deps.close()
    return { migrations: migrations.rows.map(({ name }) => name), users }
  }

  it('migrate once and agree on one administrator and one secret in four concurrent first starts', async () => {
    const count = rounds(2, 25)
    for (let round = 0; round < count; round++) {
      await startConcurrently(4)
      const { migrations, users } = await expectOneInstallation()
      expect(migrations).toEqual([...new Set(migrations)])
      expect(users).toEqual([{ username: 'admin' }])
      await stopAll()
      await removeDataDir(dataDir)
    }
    figure(
      'concurrency',
      'first starts at once on an empty folder',
      `${count} × 4, one migration each`,
      'one',
    )
  }, 900_000)

  it('enforce a supplier’s retailer limit exactly', async () => {
    await startConcurrently(2)
    const deps = await openDatabase()
    const count = rounds(1, 25)
    for (let round = 0; round < count; round++) {
      const supplier = await createSupplierUser(deps, { maxRetailers: LIMIT })
      const logins = await Promise.all(
        Array.from({ length: ATTEMPTS }, () => createRetailerUser(deps, supplier)),
      )
      const clients = products.map(({ url }) => createRestClient(url))
      for (const client of clients) await client.signIn(supplier.username, PASSWORD)
      const responses = await Promise.all(
        logins.map(({ id: userId }, index) =>
          clients[index % clients.length]!.send('POST', '/api/retailers', {
            userId,
            storeName: 'Shop',
          }),
        ),
      )
      const statuses = responses.map(({ status }) => status)
      expect(statuses.filter((status) => status === 201)).toHaveLength(LIMIT)
      expect(statuses.filter((status) => status === 409)).toHaveLength(ATTEMPTS - LIMIT)
      const { body } = await clients[0]!.send('GET', '/api/retailers')
      expect(body).toHaveLength(LIMIT)
    }
    await deps.close()
    const measured = `${count} × exactly ${LIMIT}`
    figure(
      'concurrency',
      `${ATTEMPTS} retailers at once, in two processes`,
      measured,
      `exactly ${LIMIT}`,
    )
  }, 900_000)

  it('let a link for a new password be used once, however many use it at once', async () => {
    await startConcurrently(2)
    const deps = await openDatabase()
    deps.clock.advance(Date.now() - deps.clock.now())
    const count = rounds(2, 50)
    for (let round = 0; round < count; round++) {
      const { id } = await createSupplierUser(deps)
      const token = await putPasswordLink(deps, id)
      const answers = await Promise.all(
        Array.from({ length: OPENED_AT_ONCE }, (_, place) => {
          const client = createRestClient(products[place % products.length]!.url)
          const body = { token, newPassword: `new password ${place}` }
          return client.send('POST', '/trpc/recovery.setPassword', body)
        }),
      )
      const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other)
      expect(statuses).toEqual([200, ...Array<number>(OPENED_AT_ONCE - 1).fill(404)])
      // All come from one address, whose wrong links are limited.
      await deps.db.deleteFrom('attempts').execute()
    }
    await deps.close()
  }, 900_000)

  it('let an invitation be accepted once, however many open its link at once', async () => {
    await startConcurrently(2)
    const deps = await openDatabase()
    deps.clock.advance(Date.now() - deps.clock.now())
    const count = rounds(2, 50)
    for (let round = 0; round < count; round++) {
      const supplier = await createSupplierUser(deps)
      const { token } = await putInvitation(deps, supplier)
      const answers = await Promise.all(
        Array.from({ length: OPENED_AT_ONCE }, (_, place) => {
          const client = createRestClient(products[place % products.length]!.url)
          const account = { username: `shop-${round}-${place}`, password: PASSWORD }
          const body = { token, ...account, contactEmail: 'me@shop.example' }
          return client.send('POST', '/trpc/invitations.accept', body)
        }),
      )
      const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other)
      expect(statuses).toEqual([200, ...Array<number>(OPENED_AT_ONCE - 1).fill(404)])
      const retailers = deps.db.selectFrom('retailers').where('supplierId', '=', supplier.id)
      expect(await retailers.select('id').execute()).toHaveLength(1)
      // All come from one address, whose wrong links are limited.
      await deps.db.deleteFrom('attempts').execute()
    }
    await deps.close()
    figure(
      'concurrency',
      `an invitation opened ${OPENED_AT_ONCE} times at once, in two processes`,
      `${count} × one account`,
      'one account',
    )
  }, 900_000)

  it('take each code of a second factor once', async () => {
    await startConcurrently(2)
    const count = rounds(2, 25)
    const deps = await openDatabase()
    Object.assign(deps.secrets, await openSecretBox(readConfig({ DATA_DIR: dataDir })))
    for (let round = 0; round < count; round++) {
      const { id, username } = await createSupplierUser(deps)
      const { key, recoveryCodes } = await putSecondFactor(deps, id)
      // The clock of the processes is the real one.
      for (const code of [codeAt(key, Date.now()), recoveryCodes[0]!]) {
        const answers = await Promise.all(
          Array.from({ length: 4 }, (_, index) => {
            const client = createRestClient(products[index % 2]!.url)
            return client.send('POST', '/api/login', { username, password: PASSWORD, code })
          }),
        )
        const statuses = answers.map(({ status }) => status)
        expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 401, 401, 401])
        await deps.db.deleteFrom('attempts').execute()
      }
    }
    await deps.close()
    figure(
      'concurrency',
      'a code of a second factor sent four times at once, to two processes',
      `${count} × one sign-in, with a recovery code too`,
      'one sign-in',
    )
  }, 900_000)

  it('take each answer of a passkey once, whether it counts or not', async () => {
    // Then all are called by the one address to which the passkey belongs.
    await startConcurrently(2, { TRUST_PROXY: '127.0.0.1' })
    const forwarded = { 'x-forwarded-host': 'localhost', 'content-type': 'application/json' }
    const call = (index: number, procedure: string, input: object) =>
      fetch(`${products[index % 2]!.url}/trpc/passkeys.${procedure}`, {
        method: 'POST',
        headers: forwarded,
        body: JSON.stringify(input),
      })
    const count = rounds(2, 25)
    const deps = await openDatabase()
    Object.assign(deps.secrets, await openSecretBox(readConfig({ DATA_DIR: dataDir })))
    deps.clock.advance(Date.now() - deps.clock.now())
    for (let round = 0; round < count; round++) {
      const { id } = await createSupplierUser(deps)
      const device = await putPasskey(deps, id)
      for (const deviation of [{ useCount: 0 }, {}]) {
        const asked = await call(0, 'prepareSignIn', {})
        const { result } = (await asked.json()) as {
          result: { data: { challenge: string; rpId: string } }
        }
        const answer = device.answer(result.data, deviation)
        const answers = await Promise.all([0, 1, 2, 3].map((at) => call(at, 'signIn', { answer })))
        const statuses = answers.map(({ status }) => status)
        expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 400, 400, 400])
        await deps.db.deleteFrom('attempts').execute()
      }
    }
    await deps.close()
    figure(
      'concurrency',
      'an answer of a passkey sent four times at once, to two processes',
      `${count * 2} × one sign-in`,
      'one sign-in',
    )
  }, 900_000)
})
