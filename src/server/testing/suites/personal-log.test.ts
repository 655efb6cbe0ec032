import { afterAll, beforeAll, expect, it } from 'vitest'

import { recordAdministratorsRead } from '../../features/people/audit/record-read'
import { MailError, type Mailer } from '../../mail/mailer'
import { recordLog, type LogRecorder } from '../fixtures/log-lines'
import { restoreSnapshot, takeSnapshot, type Snapshot } from '../fixtures/snapshot'
import { startSourceServer, type SourceServer } from '../servers/source-server'
import { mutationCalls, prepareCall } from '../stages/mutation-calls'
import { openWorld, type World } from '../stages/world'

/** Refuses every mail, and names its address, as mail servers do. */
const mail: Mailer = {
  send: ({ to }) => Promise.reject(new MailError(`550 5.1.1 <${to}>: no such user`)),
  check: async () => undefined,
  close: () => undefined,
}

let sourceServer: SourceServer
let world: World
let log: LogRecorder
let pristine: Snapshot

beforeAll(async () => {
  sourceServer = await startSourceServer()
  log = recordLog()
  world = await openWorld(sourceServer, {}, { logger: log.logger, mail })
  pristine = await takeSnapshot(world.testApp.deps.db)
})
afterAll(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

/** Names and addresses of people, companies and stores that are stored now. */
async function listPersonal(): Promise<string[]> {
  const { db } = world.testApp.deps
  const users = await db
    .selectFrom('users')
    .select(['username', 'companyName', 'displayName', 'contactEmail'])
    .select(['publicEmail', 'publicPhone', 'publicWebsite', 'photoUrl'])
    .execute()
  const rows = [
    ...users,
    ...(await db.selectFrom('retailers').select(['storeName', 'storeUrl']).execute()),
    ...(await db.selectFrom('invitations').select('email').execute()),
    ...(await db.selectFrom('mailAddresses').select(['address', 'pendingAddress']).execute()),
    ...(await db.selectFrom('apiKeys').select('name').execute()),
    ...(await db.selectFrom('auditEntries').select('actorName').execute()),
  ]
  return rows.flatMap((row) => Object.values(row).filter((text): text is string => !!text))
}

it('the log names nobody, whatever is called, and tells each entry of the audit log by its numbers', async () => {
  const { deps } = world.testApp
  const personal = new Set<string>()
  let entries = 0
  const { username } = world.supplier
  const address = { userId: world.supplier.id, address: 'somebody@acme.example' }
  await deps.db.insertInto('mailAddresses').values(address).execute()
  await world.clients.anonymous.call('mutation', 'recovery.request', { login: username })
  await deps.work()
  personal.add(address.address)
  await restoreSnapshot(deps.db, pristine)
  for (const call of mutationCalls) {
    const make = await prepareCall(world, call)
    await make()
    await deps.work()
    for (const text of await listPersonal()) personal.add(text)
    entries += (await deps.db.selectFrom('auditEntries').select('id').execute()).length
    await restoreSnapshot(deps.db, pristine)
  }
  expect(entries).toBeGreaterThan(100)
  expect([...personal]).toEqual(expect.arrayContaining([world.supplier.username, 'Corner Shop']))
  const lines = log.text().split('\n')
  expect(
    [...personal].flatMap((text) =>
      lines
        // The name of a call is nobody's, though a destination may be called New.
        .filter((line) => line.replace(/\w*estinations\.testNew/, '').includes(text))
        .map((line) => ({ text, line })),
    ),
  ).toEqual([])
  const audits = log.lines().filter(({ msg }) => msg === 'Audit')
  expect(audits.length).toBeGreaterThan(100)
  expect(new Set(audits.flatMap(({ audit }) => Object.keys(audit as object)))).toEqual(
    new Set(['id', 'action', 'noun', 'actorId', 'actorRole', 'subjectId', 'supplierId', 'origin']),
  )
  const refused = log.lines().filter(({ msg }) => msg.endsWith('could not be sent'))
  expect(new Set(refused.map(({ reason }) => reason))).toEqual(
    new Set(['550 5.1.1 … no such user']),
  )
})

it('a read by an administrator that cannot be recorded is told by numbers', async () => {
  const { deps } = world.testApp
  const administrator = { ...world.supplier, role: 'SUPER_ADMIN' as const }
  const broken = { ...deps, db: undefined as never }
  await recordAdministratorsRead(broken, administrator, {
    action: 'retailer.read-file',
    subject: { id: world.retailer.id, name: 'Corner Shop' },
    supplierId: world.supplier.id,
    details: { file: 'stock.csv' },
  })
  const line = log.lines().at(-1)
  expect(line).toMatchObject({
    msg: 'A read by an administrator could not be recorded',
    audit: {
      action: 'retailer.read-file',
      actorId: world.supplier.id,
      subjectId: world.retailer.id,
      supplierId: world.supplier.id,
    },
  })
  expect(JSON.stringify(line)).not.toContain('Corner Shop')
})
