import { mkdir } from 'node:fs/promises'

import { readConfig } from '../../src/server/config'
import { inTransaction } from '../../src/server/db/open'
import {
  findConnection,
  updateConnectionRow,
} from '../../src/server/features/catalogue/connections/connections.queries'
import {
  createSupplierConnection,
  createSupplierUser,
} from '../../src/server/testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../src/server/testing/stages/test-deps'
import type { Bench } from './bench'

const KB = 1_000

export type Modules = Awaited<ReturnType<typeof openModules>>

/** A run's right to a connection. */
export type Claim = { connectionId: number; leaseToken: string }

/**
 * Opens the product's modules, without its processes, with a supplier whose connection is due: for
 * steps that cannot be told apart from outside. The database is in a file.
 */
export async function openModules({ folder, cleanups, source }: Bench, name: string) {
  const { url } = await source(100 * KB)
  const dataDir = `${folder}/${name}`
  await mkdir(dataDir)
  const config = readConfig({ DATA_DIR: dataDir, FETCH_ALLOW: '127.0.0.1' })
  const deps = await openTestDeps(config)
  cleanups.add(() => deps.close())
  const supplier = await createSupplierUser(deps)
  return { deps, supplier, connection: await createSupplierConnection(deps, supplier, url) }
}

export function changeConnection(
  { db }: TestDeps,
  id: number,
  changes: Parameters<typeof updateConnectionRow>[2],
): Promise<unknown> {
  return inTransaction(db, async (trx) => {
    const connection = await findConnection(trx, id, {})
    if (connection) await updateConnectionRow(trx, connection, changes)
  })
}
