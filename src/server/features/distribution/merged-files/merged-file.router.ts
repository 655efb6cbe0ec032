import { newFeedAddressSchema } from '../../../../shared/schemas/feed-address'
import {
  createMergedAddressInput,
  matchingCountsSchema,
  mergedFileSchema,
  saveMatchingInput,
  saveMergedFileInput,
} from '../../../../shared/schemas/merged-file'
import { procedureFor, router } from '../../../trpc/init'
import { createMergedAddress, getMergedFile, removeMergedFile, saveMergedFile } from './merged-file'
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
    .output(mergedFileSchema)
    .mutation(({ ctx, input }) => saveMergedFile(ctx.deps, ctx.actor, input)),

  remove: retailerProcedure
    .meta({ area: 'addresses', cost: 2 })
    .output(mergedFileSchema)
    .mutation(({ ctx }) => removeMergedFile(ctx.deps, ctx.actor)),

  createAddress: retailerProcedure
    .meta({ area: 'addresses' })
    .input(createMergedAddressInput)
    .output(newFeedAddressSchema)
    .mutation(({ ctx, input }) => createMergedAddress(ctx.deps, ctx.actor, input)),

  saveMatching: retailerProcedure
    .meta({ area: 'addresses', cost: 5 })
    .input(saveMatchingInput)
    .output(matchingCountsSchema)
    .mutation(({ ctx, input }) => saveMatching(ctx.deps, ctx.actor, input)),
})
