import { itemHistoryInput, itemHistorySchema } from '../../../../shared/schemas/item-history'
import { router, signedInProcedure, supplierProcedure } from '../../../trpc/init'
import { readItemHistory, readRetailerItemHistory } from './item-history'

export const itemHistoryRouter = router({
  /** Of any item of a connection. */
  ofConnection: supplierProcedure
    .meta({ cost: 2 })
    .input(itemHistoryInput)
    .output(itemHistorySchema)
    .query(({ ctx, input }) => readItemHistory(ctx.deps, ctx.actor, input)),

  /** Of an item that a retailer may see; also for suppliers, as the retailer sees it. */
  ofRetailer: signedInProcedure
    .meta({ cost: 2, area: 'files' })
    .input(itemHistoryInput)
    .output(itemHistorySchema)
    .query(({ ctx, input }) => readRetailerItemHistory(ctx.deps, ctx.actor, input)),
})
