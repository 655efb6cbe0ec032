import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { inTransaction } from '../../server/db/open'
import { createConnection } from '../../server/features/catalogue/connections/connections'
import { createSftpLogin } from '../../server/features/distribution/sftp-logins/sftp-logins'
import { createSupplierUser, PASSWORD } from '../../server/testing/fixtures/factories'
import { figure, secondsSince } from '../../server/testing/fixtures/figures'
import { connectSsh } from '../../server/testing/fixtures/sftp-client'
import { findFreePort } from '../../server/testing/servers/free-port'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import { listTree, readProportionalMemory } from '../support/process-tree'
import { makeDataDir, removeDataDir, startProduct, type Product } from '../support/product'
import { until } from '../support/rest-client'

const MB = 1024 * 1024
const SESSIONS = 1_000
const LOGINS = 10_000
const SIGN_INS = 200

describe('the SFTP server, with 10,000 logins', () => {
  let dataDir: string
  let product: Product
  let port: number
  let login: { username: string; password: string }
  let crowd: ChildProcess | undefined
  /** Each by another user, from another address, so that none is limited. */
  let signIns = 0

  beforeEach(async () => {
    dataDir = await makeDataDir()
    port = await findFreePort()
    const env = { SFTP_PORT: `${port}`, LOG_LEVEL: 'error', TRUST_PROXY: '127.0.0.1' }
    const deps = await openTestDeps(readConfig({ DATA_DIR: dataDir, ...env }))
    const user = await createSupplierUser(deps)
    const settings = { name: 'Stock', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 } as const
    const input = { ...settings, config: {}, isActive: true }
    const { id } = await createConnection(deps, user, input)
    const { username, password } = await createSftpLogin(deps, user, 'connection', { id })
    login = { username, password: password! }
    const [supplier, connection, own] = await Promise.all([
      deps.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow(),
      deps.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow(),
      deps.db.selectFrom('sftpLogins').selectAll().executeTakeFirstOrThrow(),
    ])
    await inTransaction(deps.db, async (trx) => {
      for (let number = 1; number < LOGINS; number += 1) {
        const name = `other-${number}`
        const supplierId = user.id + number
        const connectionId = id + number
        const person = { ...supplier, id: supplierId, username: name, usernameKey: name }
        await trx.insertInto('users').values(toStored(person)).execute()
        const place = { ...connection, id: connectionId, supplierId }
        await trx.insertInto('connections').values(toStored(place)).execute()
        const other = { ...own, id: own.id + number, connectionId, username: name }
        await trx.insertInto('sftpLogins').values(toStored(other)).execute()
      }
    })
    await deps.close()
    product = await startProduct(dataDir, env)
    const tryOnce = () =>
      connectSsh({ port, ...login }).then(
        (client) => client.end() !== undefined,
        () => false,
      )
    await until(tryOnce, Boolean)
  }, 180_000)
  afterEach(async () => {
    crowd?.kill()
    await product?.stop()
    await removeDataDir(dataDir)
  })

  function gather(...args: string[]) {
    crowd = spawn(process.execPath, ['--import', 'tsx', 'src/e2e/support/sftp-crowd.ts', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return createInterface({ input: crowd.stdout! })
  }
  const memory = async () => readProportionalMemory(await listTree(product.pid))

  it('holds a thousand sessions that do nothing in little memory', async () => {
    const before = await memory()
    // Each login may have some sessions only.
    await once(gather('idle', `${port}`, login.password, `${SESSIONS}`, ...someLogins()), 'line')
    const more = (await memory()) - before
    figure(
      'load',
      `${SESSIONS} idle SFTP sessions: all processes`,
      `${Math.round(more / MB)} MB more`,
      '≤ 64 MB more',
    )
    expect(more).toBeLessThan(64 * MB)
  })

  it('lets others sign in beside a flood of wrong passwords', async () => {
    const calm = await signInRepeatedly()
    const heard = gather('flood', `${port}`, login.username, ...someLogins())
    let refused = 0
    heard.on('line', () => (refused += 1))
    await until(
      async () => refused,
      (count) => count > 100,
    )
    const flooded = await signInRepeatedly()
    const what = `sign-ins of others, p99, beside ${refused} wrong passwords over SFTP`
    figure('load', what, `${flooded} ms, ${calm} ms before`, '≤ 100 ms')
    expect(flooded).toBeLessThanOrEqual(100)
  })

  /** The time that 99 of 100 sign-ins take at most. */
  async function signInRepeatedly(): Promise<number> {
    const times: number[] = []
    for (let count = 0; count < SIGN_INS; count += 1) {
      const number = (signIns += 1)
      const started = performance.now()
      const response = await fetch(`${product.url}/api/login`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `198.51.${number >> 8}.${number & 255}`,
        },
        body: JSON.stringify({ username: `other-${number}`, password: PASSWORD }),
      })
      await response.text()
      expect(response.status).toBe(200)
      times.push(secondsSince(started) * 1_000)
    }
    return Math.round(times.toSorted((one, other) => one - other)[SIGN_INS * 0.99 - 1]!)
  }
})

const someLogins = () => Array.from({ length: 100 }, (_, number) => `other-${number * 99 + 1}`)

/** A row as it is written: what is an object in it is stored as JSON. */
const toStored = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  ) as never
