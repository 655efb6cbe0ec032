import { text } from 'node:stream/consumers'

import { listConnections } from '../../features/catalogue/connections/connections'
import { listFiles, openConnectionFile } from '../../features/catalogue/versions/connection-files'
import { createSupplierConnection, createSupplierUser } from '../fixtures/factories'
import { startSourceServer } from '../servers/source-server'
import { openTestDeps } from './test-deps'

/** The file published by `publishFirst`. */
export const FIRST = 'sku,qty\r\n1,5\r\n2,7\r\n'
export const SECOND = 'sku,qty\r\n1,4\r\n2,7\r\n3,1\r\n'

export type SyncStage = Awaited<ReturnType<typeof openSyncStage>>

/** Creates a supplier, and the server that its file is on. */
export async function openSyncStage(parts?: Parameters<typeof openTestDeps>[1]) {
  const sourceServer = await startSourceServer()
  const deps = await openTestDeps({ fetchAllow: [sourceServer.host] }, parts)
  const supplier = await createSupplierUser(deps)

  /** Connects the supplier to `/feed.csv`, due at once. */
  const connect = () => createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))

  async function current() {
    const [connection] = await listConnections(deps, supplier)
    if (!connection) throw new Error('There is no connection')
    return connection
  }

  async function files() {
    return (await listFiles(deps, supplier, (await current()).id)).files
  }

  async function publishedText(): Promise<string> {
    const [latest] = await files()
    if (!latest) throw new Error('Nothing is published')
    const { id } = await current()
    const file = await openConnectionFile(deps, supplier, { id, fileName: latest.fileName })
    return text(await deps.files.read(file.sha256))
  }

  async function publishFirst() {
    sourceServer.set('/feed.csv', { body: FIRST })
    await connect()
    await deps.work()
  }

  return {
    sourceServer,
    deps,
    supplier,
    connect,
    current,
    files,
    publishedText,
    publishFirst,
    async close() {
      await deps.close()
      await sourceServer.close()
    },
  }
}
