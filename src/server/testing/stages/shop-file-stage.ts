import { expect } from 'vitest'

import { shopFormatSchema } from '../../../shared/schemas/shop-format'
import type { ShopFormatKind } from '../../../shared/shop-formats'
import { createFeedAddress } from '../../features/distribution/feed-addresses/feed-addresses'
import { saveShopFormat } from '../../features/distribution/shop-formats/shop-formats'
import { startSourceServer } from '../servers/source-server'
import { openWorld } from './world'

export type ShopFileStage = Awaited<ReturnType<typeof openShopFileStage>>

/** A retailer whose shop reads its file in forms that are made when they are asked for. */
export async function openShopFileStage() {
  const sourceServer = await startSourceServer()
  const world = await openWorld(sourceServer)
  const { deps } = world.testApp
  const { user, id } = world.retailer
  const { path: address } = await createFeedAddress(deps, user, id)
  const read = (url: string, headers: Record<string, string> = {}) =>
    world.testApp.client().request('GET', url, undefined, headers)
  return {
    world,
    deps,
    /** That of its feed, which ends in `inventory.csv`. */
    address,
    read,
    /** Reads a file that has to be built first. */
    async order(url: string) {
      expect((await read(url)).status).toBe(503)
      await deps.queue.idle()
      return read(url)
    },
    async saveKind(kind: ShopFormatKind) {
      await saveShopFormat(deps, user, { id, profile: shopFormatSchema.parse({ kind }) })
      await deps.queue.idle()
    },
    async close() {
      await world.testApp.close()
      await sourceServer.close()
    },
  }
}
