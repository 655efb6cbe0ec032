import { newFeedAddressSchema } from '../../../../shared/schemas/feed-address'
import { messageSchema } from '../../../../shared/schemas/file'
import {
  createMergedAddressInput,
  matchingCountsSchema,
  mergedFileSchema,
  saveMatchingInput,
  saveMergedFileInput,
} from '../../../../shared/schemas/merged-file'
import { procedureFor, router } from '../../../trpc/init'
import {
  createMergedAddress,
  getMergedFile,
  removeMergedFile,
  revokeMergedAddresses,
  saveMergedFile,
} from './merged-file'
import { saveMatching } from './save-matching'

const retailerProcedure = procedureFor('RETAILER')

/** For the retailer itself: its suppliers do not learn of each other. */
export const mergedFileRouter = router({
  get: retailerProcedure
    .meta({ cost: 2 })
    .output(mergedFileSchema)
    .query(({ ctx }) => getMergedFile(ctx.deps, ctx.actor)),

  save: retailerProcedure
    .meta({ area: 'addresses', cost: 2 })
    .input(saveMergedFileInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await saveMergedFile(ctx.deps, ctx.actor, input)
      return { message: 'Merged file saved' }
    }),

  remove: retailerProcedure
    .meta({ area: 'addresses', cost: 2 })
    .output(messageSchema)
    .mutation(async ({ ctx }) => {
      await removeMergedFile(ctx.deps, ctx.actor)
      return { message: 'Merged file removed' }
    }),

  createAddress: retailerProcedure
    .meta({ area: 'addresses' })
    .input(createMergedAddressInput)
    .output(newFeedAddressSchema)
    .mutation(({ ctx, input }) => createMergedAddress(ctx.deps, ctx.actor, input)),

  revokeAddresses: retailerProcedure
    .meta({ area: 'addresses' })
    .output(messageSchema)
    .mutation(async ({ ctx }) => {
      await revokeMergedAddresses(ctx.deps, ctx.actor)
      return { message: 'Feed address revoked' }
    }),

  saveMatching: retailerProcedure
    .meta({ area: 'addresses', cost: 5 })
    .input(saveMatchingInput)
    .output(matchingCountsSchema)
    .mutation(({ ctx, input }) => saveMatching(ctx.deps, ctx.actor, input)),
})
