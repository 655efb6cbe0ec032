import {
  changeTimeZoneInput,
  createDestinationInput,
  destinationListSchema,
  destinationPlaceInput,
  destinationTrialSchema,
  dispatchPageSchema,
  listDispatchesInput,
  trialDestinationInput,
  updateDestinationInput,
} from '../../../../shared/schemas/destination'
import { byIdInput } from '../../../../shared/schemas/primitives'
import { router, signedInProcedure } from '../../../trpc/init'
import {
  changeTimeZone,
  createDestination,
  deleteDestination,
  listDestinations,
  updateDestination,
} from './destinations'
import { listDispatches } from './dispatch-list'
import { sendNow } from './send-now'
import { testDestination, testNewDestination } from './try-destination'

/** For the retailer itself, its supplier and administrators. */
export const destinationsRouter = router({
  list: signedInProcedure
    .input(byIdInput)
    .output(destinationListSchema)
    .query(({ ctx, input }) => listDestinations(ctx.deps, ctx.actor, input.id)),

  create: signedInProcedure
    .meta({ area: 'addresses' })
    .input(createDestinationInput)
    .output(destinationListSchema)
    .mutation(({ ctx, input }) => createDestination(ctx.deps, ctx.actor, input)),

  update: signedInProcedure
    .meta({ area: 'addresses' })
    .input(updateDestinationInput)
    .output(destinationListSchema)
    .mutation(({ ctx, input }) => updateDestination(ctx.deps, ctx.actor, input)),

  delete: signedInProcedure
    .meta({ area: 'addresses' })
    .input(destinationPlaceInput)
    .output(destinationListSchema)
    .mutation(({ ctx, input }) => deleteDestination(ctx.deps, ctx.actor, input)),

  /** Sends a small file, which is taken away again where that is possible. */
  test: signedInProcedure
    .meta({ area: 'addresses', cost: 5 })
    .input(destinationPlaceInput)
    .output(destinationTrialSchema)
    .mutation(({ ctx, input }) => testDestination(ctx.deps, ctx.actor, input)),

  testNew: signedInProcedure
    .meta({ area: 'addresses', cost: 5 })
    .input(trialDestinationInput)
    .output(destinationTrialSchema)
    .mutation(({ ctx, input }) => testNewDestination(ctx.deps, ctx.actor, input)),

  sendNow: signedInProcedure
    .meta({ area: 'addresses' })
    .input(destinationPlaceInput)
    .output(destinationListSchema)
    .mutation(({ ctx, input }) => sendNow(ctx.deps, ctx.actor, input)),

  changeTimeZone: signedInProcedure
    .meta({ area: 'addresses' })
    .input(changeTimeZoneInput)
    .output(destinationListSchema)
    .mutation(({ ctx, input }) => changeTimeZone(ctx.deps, ctx.actor, input)),

  /** What was sent to one destination, or to all of a retailer. */
  listDispatches: signedInProcedure
    .meta({ cost: 2 })
    .input(listDispatchesInput)
    .output(dispatchPageSchema)
    .query(({ ctx, input }) => listDispatches(ctx.deps, ctx.actor, input)),
})
