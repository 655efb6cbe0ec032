import {
  feedAddressSchema,
  newProtectionSchema,
  newFeedAddressSchema,
  protectFeedAddressInput,
} from '../../../../shared/schemas/feed-address'
import { messageSchema } from '../../../../shared/schemas/file'
import { byIdInput } from '../../../../shared/schemas/primitives'
import { router, signedInProcedure } from '../../../trpc/init'
import {
  createFeedAddress,
  listFeedAddresses,
  protectFeedAddresses,
  revokeFeedAddresses,
} from './feed-addresses'

/** For the retailer itself, its supplier and administrators. */
export const feedAddressesRouter = router({
  list: signedInProcedure
    .input(byIdInput)
    .output(feedAddressSchema.array())
    .query(({ ctx, input }) => listFeedAddresses(ctx.deps, ctx.actor, input.id)),

  create: signedInProcedure
    .meta({ area: 'addresses' })
    .input(byIdInput)
    .output(newFeedAddressSchema)
    .mutation(({ ctx, input }) => createFeedAddress(ctx.deps, ctx.actor, input.id)),

  protect: signedInProcedure
    .meta({ area: 'addresses' })
    .input(protectFeedAddressInput)
    .output(newProtectionSchema)
    .mutation(({ ctx, input }) => protectFeedAddresses(ctx.deps, ctx.actor, input)),

  revoke: signedInProcedure
    .meta({ area: 'addresses' })
    .input(byIdInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await revokeFeedAddresses(ctx.deps, ctx.actor, input.id)
      return { message: 'Feed address revoked' }
    }),
})
