import { readConfig } from '../../server/config'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  PASSWORD,
  removeGuards,
} from '../../server/testing/fixtures/factories'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import type { Product } from './product'
import { createRestClient, until, type RestClient } from './rest-client'

export type SeededData = {
  supplier: { username: string }
  retailer: { id: number; username: string }
  connectionId: number
}

/** Creates a supplier with a due connection and a retailer in a data directory. */
export async function seedDataDir(dataDir: string, sourceUrl: string): Promise<SeededData> {
  const deps = await openTestDeps(readConfig({ DATA_DIR: dataDir }))
  deps.clock.advance(Date.now() - deps.clock.now())
  const supplier = await createSupplierUser(deps)
  const connection = await createSupplierConnection(deps, supplier, sourceUrl)
  const { id, user } = await createLinkedRetailer(deps, supplier)
  // Tests publish files that have nothing to do with each other.
  await removeGuards(deps)
  await deps.close()
  return { supplier, retailer: { id, username: user.username }, connectionId: connection.id }
}

export async function signIn({ url }: Product, username: string): Promise<RestClient> {
  const client = createRestClient(url)
  await client.signIn(username, PASSWORD)
  return client
}

/** Waits for the retailer's file and returns its URL. */
export async function awaitFile(client: RestClient, { retailer }: SeededData): Promise<string> {
  const path = `/api/retailers/${retailer.id}/latest-file`
  const { downloadUrl } = await until(
    async () => (await client.send('GET', path)).body as { downloadUrl?: string },
    (file) => file.downloadUrl !== undefined,
  )
  return downloadUrl ?? ''
}
