import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { LiveItem } from '../../../../shared/schemas/live'
import { inTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import { DomainError } from '../../../domain/errors'
import {
  ADDRESS,
  createAdmin,
  createSupplierConnection,
  createSupplierUser,
  PASSWORD,
  SESSION_MS,
} from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { createListeners, type Listeners, type Listening } from '../../../testing/stages/listeners'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { changeOwnPassword, resetPassword } from '../../people/accounts/accounts'
import { deleteSession } from '../../people/accounts/sessions.queries'
import { startViewAs } from '../../people/view-as/view-as'
import { updateSupplier } from '../suppliers/suppliers'
import { MAX_WATCHERS_PER_USER } from './change-watch'

const NEW_PASSWORD = 'another horse'
/** The error that ends a stream, so that the browser connects again. */
const ENDED = { name: 'AbortError', message: 'The stream has ended' }

let sourceServer: SourceServer
let deps: TestDeps
let supplier: Actor
let listeners: Listeners

beforeEach(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: 'sku\r\n1\r\n' })
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  listeners = createListeners(deps)
  supplier = await createSupplierUser(deps)
  await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
})
afterEach(async () => {
  listeners.close()
  await deps.close()
  await sourceServer.close()
})

const endSession = ({ sessionHash }: Listening) =>
  inTransaction(deps.db, (trx) => deleteSession(trx, sessionHash))

const isSynced = (item: LiveItem) =>
  item.kind === 'connection' && item.connection.status === 'synced'

describe('the end of the live stream', () => {
  it.each<[string, (stream: Listening) => Promise<unknown>]>([
    ['signing out', endSession],
    [
      'a new password',
      ({ sessionHash }) =>
        changeOwnPassword(
          deps,
          supplier,
          { sessionIdHash: sessionHash, address: ADDRESS },
          { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
        ),
    ],
    [
      'a password reset by an administrator',
      async () => {
        const input = { userId: supplier.id, newPassword: NEW_PASSWORD }
        await resetPassword(deps, await createAdmin(deps), input, ADDRESS)
      },
    ],
    ['deactivation', () => updateSupplier(deps, { id: supplier.id, isActive: false })],
  ])('follows %s, with no further item', async (_what, act) => {
    const stream = await listeners.listen(supplier)
    await stream.next()
    await act(stream)
    await deps.db.deleteFrom('connections').execute()
    await expect(stream.next()).rejects.toMatchObject(ENDED)
  })

  it('follows the expiry of the session', async () => {
    const stream = await listeners.listen(supplier)
    await stream.next()
    deps.clock.advance(SESSION_MS)
    await expect(stream.next()).rejects.toMatchObject(ENDED)
  })

  it('follows the begin of a view as another user', async () => {
    const admin = await createAdmin(deps)
    const stream = await listeners.listen(admin)
    await stream.next()
    await startViewAs(deps, admin, supplier.id, stream.sessionHash)
    await expect(stream.next()).rejects.toMatchObject(ENDED)
  })

  it('does not follow the end of another window’s session', async () => {
    const leaving = await listeners.listen(supplier)
    const staying = await listeners.listen(supplier)
    await staying.next()
    await endSession(leaving)
    await deps.work()
    expect(await staying.until(isSynced)).toBeDefined()
  })

  it('follows the shutdown of the server', async () => {
    const stream = await listeners.listen(supplier)
    await stream.next()
    const end = stream.next()
    deps.changes.close()
    await expect(end).rejects.toMatchObject(ENDED)
  })
})

describe('one live stream too many', () => {
  it('is refused until another one is closed', async () => {
    const streams: Listening[] = []
    for (let count = 0; count < MAX_WATCHERS_PER_USER; count++) {
      streams.push(await listeners.listen(supplier))
    }
    const refused: unknown = await listeners.listen(supplier).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(DomainError)
    expect(refused).toMatchObject({
      code: 'THROTTLED',
      message: `You have this open in ${MAX_WATCHERS_PER_USER} windows already. Close some of them.`,
    })
    const other = await listeners.listen(await createSupplierUser(deps))
    expect(await other.next()).toMatchObject([
      { kind: 'unread-shops' },
      { kind: 'destinations' },
      { kind: 'sessions' },
      { kind: 'api-keys' },
    ])
    streams[0]?.close()
    const again = await listeners.listen(supplier)
    expect(await again.next()).toMatchObject([
      { kind: 'connection' },
      { kind: 'mails' },
      { kind: 'sftp-login' },
      { kind: 'unread-shops' },
      { kind: 'destinations' },
      { kind: 'sessions' },
      { kind: 'api-keys' },
    ])
  })
})
