import { readConfig } from '../server/config'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  PASSWORD,
} from '../server/testing/factories'
import { openTestDeps } from '../server/testing/test-deps'
import type { Product } from './product'
import { createRestClient, until, type RestClient } from './rest-client'

export type Stock = {
  supplier: { username: string }
  retailer: { id: number; username: string }
  connectionId: number
}

/** Puts a supplier into a data folder, with a connection that is due and a retailer. */
export async function stockFolder(dataDir: string, sourceUrl: string): Promise<Stock> {
  const deps = await openTestDeps(readConfig({ DATA_DIR: dataDir }))
  deps.clock.advance(Date.now() - deps.clock.now())
  const supplier = await createSupplierUser(deps)
  const connection = await createSupplierConnection(deps, supplier, sourceUrl)
  const { id, user } = await createLinkedRetailer(deps, supplier)
  await deps.close()
  return { supplier, retailer: { id, username: user.username }, connectionId: connection.id }
}

export async function signIn({ url }: Product, username: string): Promise<RestClient> {
  const client = createRestClient(url)
  await client.signIn(username, PASSWORD)
  return client
}

/** Where the retailer gets its file, as soon as there is one. */
export async function awaitFile(client: RestClient, { retailer }: Stock): Promise<string> {
  const path = `/api/retailers/${retailer.id}/latest-file`
  const { downloadUrl } = await until(
    async () => (await client.send('GET', path)).body as { downloadUrl?: string },
    (file) => file.downloadUrl !== undefined,
  )
  return downloadUrl ?? ''
}
