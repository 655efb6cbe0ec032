import { z } from 'zod'

import { feedAddressSchema, newFeedAddressSchema } from '../../../../shared/schemas/feed-address'
import { messageSchema } from '../../../../shared/schemas/file'
import { idSchema } from '../../../../shared/schemas/primitives'
import { router, signedInProcedure } from '../../../trpc/init'
import { createFeedAddress, listFeedAddresses, revokeFeedAddresses } from './feed-addresses'

/** The id of the retailer. */
const ofRetailer = z.object({ id: idSchema })

/** For the retailer itself, its supplier and administrators. */
export const feedAddressesRouter = router({
  list: signedInProcedure
    .input(ofRetailer)
    .output(feedAddressSchema.array())
    .query(({ ctx, input }) => listFeedAddresses(ctx.deps, ctx.actor, input.id)),

  create: signedInProcedure
    .input(ofRetailer)
    .output(newFeedAddressSchema)
    .mutation(({ ctx, input }) => createFeedAddress(ctx.deps, ctx.actor, input.id)),

  revoke: signedInProcedure
    .input(ofRetailer)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await revokeFeedAddresses(ctx.deps, ctx.actor, input.id)
      return { message: 'Feed address revoked' }
    }),
})
