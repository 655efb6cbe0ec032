import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createSupplierConnection, createSupplierUser } from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { previewConnection, readFindings } from './connection-files'

let sourceServer: SourceServer
let deps: TestDeps
let supplier: UserRecord
let id: number

const header = Array.from({ length: 2_000 }, (_, column) => `column ${column}`).join(',')
const row = Array.from({ length: 2_000 }, (_, column) => `cell ${column}`).join(',')

beforeAll(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/wide.csv', { body: `${header}\n${row}\n` })
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  supplier = await createSupplierUser(deps)
  id = (await createSupplierConnection(deps, supplier, sourceServer.url('/wide.csv'))).id
  await deps.work()
})
afterAll(async () => {
  await deps.close()
  await sourceServer.close()
})

async function inventory() {
  const preview = await previewConnection(deps, supplier, id)
  if ('message' in preview) throw new Error(preview.message)
  return preview
}
async function readColumnCounts() {
  const { columns, columnCount, rows } = await inventory()
  const findings = await readFindings(deps, supplier, id)
  if ('message' in findings) throw new Error(findings.message)
  return [columns.length, rows[0]?.length, columnCount, findings.columnCount]
}

describe('a published file with 2,000 columns', () => {
  it('is stored with its first 200 columns and the number of all', async () => {
    const stored = await deps.db
      .selectFrom('versions')
      .select(['columns', 'columnCount', 'headRows'])
      .executeTakeFirstOrThrow()
    expect(stored.columns).toHaveLength(200)
    expect(stored.headRows[0]).toHaveLength(200)
    expect(stored.columnCount).toBe(2_000)
    expect(await readColumnCounts()).toEqual([200, 200, 2_000, 2_000])
  })

  it('is cut when read, if an earlier release stored all columns', async () => {
    await deps.db
      .updateTable('versions')
      .set({ columns: header.split(','), columnCount: null })
      .set({ headRows: [row.split(',')] })
      .execute()
    expect(await readColumnCounts()).toEqual([200, 200, 2_000, 2_000])
    expect((await inventory()).rows[0]?.at(-1)).toBe('cell 199')
  })
})
