import {
  destinationListSchema,
  destinationTrialSchema,
  dispatchPageSchema,
  listMergedDispatchesInput,
  ofMergedFile,
} from '../../../../shared/schemas/destination'
import { procedureFor, router } from '../../../trpc/init'
import {
  changeTimeZone,
  createDestination,
  deleteDestination,
  listDestinations,
  updateDestination,
} from './destinations'
import { listDispatches } from './dispatch-list'
import { sendNow } from './send-now'
import { MERGED as id } from './sent-file'
import { testDestination, testNewDestination } from './try-destination'

const retailerProcedure = procedureFor('RETAILER')

/** Where a retailer has its own merged file sent to, of which its suppliers do not learn. */
export const mergedDestinationsRouter = router({
  list: retailerProcedure
    .output(destinationListSchema)
    .query(({ ctx }) => listDestinations(ctx.deps, ctx.actor, id)),

  create: retailerProcedure
    .meta({ area: 'addresses' })
    .input(ofMergedFile.create)
    .output(destinationListSchema)
    .mutation(({ ctx, input }) => createDestination(ctx.deps, ctx.actor, { ...input, id })),

  update: retailerProcedure
    .meta({ area: 'addresses' })
    .input(ofMergedFile.update)
    .output(destinationListSchema)
    .mutation(({ ctx, input }) => updateDestination(ctx.deps, ctx.actor, { ...input, id })),

  delete: retailerProcedure
    .meta({ area: 'addresses' })
    .input(ofMergedFile.place)
    .output(destinationListSchema)
    .mutation(({ ctx, input }) => deleteDestination(ctx.deps, ctx.actor, { ...input, id })),

  test: retailerProcedure
    .meta({ area: 'addresses', cost: 5 })
    .input(ofMergedFile.place)
    .output(destinationTrialSchema)
    .mutation(({ ctx, input }) => testDestination(ctx.deps, ctx.actor, { ...input, id })),

  testNew: retailerProcedure
    .meta({ area: 'addresses', cost: 5 })
    .input(ofMergedFile.trial)
    .output(destinationTrialSchema)
    .mutation(({ ctx, input }) => testNewDestination(ctx.deps, ctx.actor, { ...input, id })),

  sendNow: retailerProcedure
    .meta({ area: 'addresses' })
    .input(ofMergedFile.place)
    .output(destinationListSchema)
    .mutation(({ ctx, input }) => sendNow(ctx.deps, ctx.actor, { ...input, id })),

  changeTimeZone: retailerProcedure
    .meta({ area: 'addresses' })
    .input(ofMergedFile.timeZone)
    .output(destinationListSchema)
    .mutation(({ ctx, input }) => changeTimeZone(ctx.deps, ctx.actor, { ...input, id })),

  listDispatches: retailerProcedure
    .meta({ cost: 2 })
    .input(listMergedDispatchesInput)
    .output(dispatchPageSchema)
    .query(({ ctx, input }) => listDispatches(ctx.deps, ctx.actor, { ...input, id })),
})
