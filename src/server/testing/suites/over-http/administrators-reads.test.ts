import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { AuditChange } from '../../../../shared/schemas/audit'
import { putMergedFile } from '../../fixtures/merged-files'
import { putBackup } from '../../fixtures/stock'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { openWorld, type World } from '../../stages/world'

let sourceServer: SourceServer
let world: World

beforeEach(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
})
afterEach(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

const database = () => world.testApp.deps.db
const admin = () => world.clients.administrator
const ownFile = () => `/api/connections/${world.connectionId}/files/${world.fileName}`
const retailersFile = () => `/api/retailers/${world.retailer.id}/files/${world.fileName}`

const READS = [
  'connection.read-file',
  'retailer.read-file',
  'merged-file.read-file',
  'backup.download',
  'log.export',
] as const

async function listReads() {
  const rows = await database()
    .selectFrom('auditEntries')
    .select(['action', 'actorId', 'address', 'subjectName', 'supplierId', 'changes', 'count'])
    .where('action', 'in', READS)
    .orderBy('id')
    .execute()
  return rows.map(({ changes, ...row }) => ({ ...row, changes: toFields(changes ?? []) }))
}

const toFields = (changes: AuditChange[]) =>
  Object.fromEntries(changes.map(({ field, after }) => [field, after]))

const byAdmin = () => ({ actorId: world.userIds.administrator, address: '127.0.0.1' })
const inView = (userId: number) => admin().call('mutation', 'viewings.begin', { userId })

describe('what an administrator reads', () => {
  it.each([
    ['a file of a supplier', 'connection.read-file', ownFile],
    ['the file of a retailer', 'retailer.read-file', retailersFile],
    [
      'a list of changes',
      'connection.read-file',
      () => `${ownFile()}/changes-from/${world.fileName}`,
    ],
  ] as const)('is in the audit log, also for the supplier: %s', async (_what, action, address) => {
    expect((await admin().request('GET', address())).status).toBe(200)
    const changes = { file: world.fileName }
    const supplierId = world.supplier.id
    expect(await listReads()).toEqual([
      expect.objectContaining({ action, ...byAdmin(), supplierId, changes }),
    ])
  })

  it('is in the audit log when it is read as somebody else, with whom', async () => {
    await inView(world.supplier.id)
    await admin().request('GET', ownFile())
    await admin().call('query', 'connections.rows', {
      id: world.connectionId,
      fileName: world.fileName,
      q: '',
    })
    await admin().call('mutation', 'viewings.stop')
    await inView(world.userIds.ownRetailer)
    await admin().request('GET', retailersFile())
    await putMergedFile(world.testApp.deps, world.userIds.ownRetailer)
    await admin().request('GET', '/api/merged-file/download')
    await admin().request('GET', '/api/merged-file/unmatched.csv')
    const retailer = await database()
      .selectFrom('users')
      .select('username')
      .where('id', '=', world.userIds.ownRetailer)
      .executeTakeFirstOrThrow()
    const viewed = (viewedAs: string) => ({ file: world.fileName, viewedAs })
    expect(await listReads()).toMatchObject([
      {
        action: 'connection.read-file',
        ...byAdmin(),
        changes: viewed(world.supplier.username),
      },
      { action: 'connection.read-file', ...byAdmin() },
      { action: 'retailer.read-file', ...byAdmin(), changes: viewed(retailer.username) },
      ...['Merged file', 'Unmatched items'].map((file) => ({
        action: 'merged-file.read-file',
        ...byAdmin(),
        subjectName: retailer.username,
        supplierId: null,
        changes: { file, viewedAs: retailer.username },
      })),
    ])
  })

  it('is in the audit log when it is a backup or the log itself, with what was asked for', async () => {
    await putBackup(world.testApp.deps, 'database')
    const fileName = 'stockbridge-2026-01-15T08-30-00-000Z.tar'
    await admin().request('GET', `/api/admin/backup-files/${fileName}`)
    const { text } = await admin().request('GET', '/api/admin/audit.csv?noun=backup')
    expect(text).toContain(`downloaded the backup ${fileName}`)
    expect(await listReads()).toMatchObject([
      { action: 'backup.download', ...byAdmin(), subjectName: fileName },
      { action: 'log.export', ...byAdmin(), changes: { noun: 'backup' } },
    ])
  })

  it('is not recorded when nothing is read, nor are reads of the owners', async () => {
    await admin().request('HEAD', ownFile())
    await admin().request('HEAD', '/api/admin/audit.csv')
    await admin().request('GET', ownFile().replace('.csv', '-other.csv'))
    await world.clients.owningSupplier.request('GET', ownFile())
    await world.clients.owningSupplier.request('GET', retailersFile())
    await world.clients.ownRetailer.request('GET', retailersFile())
    await world.clients.owningSupplier.request('GET', '/api/admin/audit.csv')
    expect(await listReads()).toEqual([])
  })

  it('is read also when it cannot be recorded', async () => {
    await database().schema.alterTable('auditEntries').renameTo('lost').execute()
    const { status } = await admin().request('GET', ownFile())
    await database().schema.alterTable('lost').renameTo('auditEntries').execute()
    expect(status).toBe(200)
  })
})
