import {
  accessRequestListSchema,
  approvedSchema,
  approveRequestInput,
  cardInput,
  directoryInput,
  directoryPageSchema,
  requestAccessInput,
} from '../../../../shared/schemas/directory'
import { messageSchema } from '../../../../shared/schemas/file'
import { byIdInput } from '../../../../shared/schemas/primitives'
import { procedureFor, router } from '../../../trpc/init'
import { approveRequest, declineRequest, listRequests } from './answer'
import { requestAccess, withdrawRequest } from './ask'
import { pageDirectory } from './directory'

/** The suppliers that have published a card, for retailers; owners ask for their files. */
export const directoryRouter = router({
  page: procedureFor('RETAILER')
    .meta({ cost: 2 })
    .input(directoryInput)
    .output(directoryPageSchema)
    .query(({ ctx, input }) => pageDirectory(ctx.deps, ctx.actor, input)),

  request: procedureFor('RETAILER')
    .meta({ area: 'company' })
    .input(requestAccessInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await requestAccess(ctx.deps, ctx.actor, input)
      return { message: 'Request sent' }
    }),

  withdraw: procedureFor('RETAILER')
    .meta({ area: 'company' })
    .input(cardInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await withdrawRequest(ctx.deps, ctx.actor, input.card)
      return { message: 'Request withdrawn' }
    }),
})

/** The requests that a supplier has got. */
export const requestsRouter = router({
  list: procedureFor('SUPPLIER')
    .meta({ cost: 2 })
    .output(accessRequestListSchema)
    .query(({ ctx }) => listRequests(ctx.deps, ctx.actor)),

  approve: procedureFor('SUPPLIER')
    .input(approveRequestInput)
    .output(approvedSchema)
    .mutation(async ({ ctx, input }) => ({
      retailerId: await approveRequest(ctx.deps, ctx.actor, input),
    })),

  decline: procedureFor('SUPPLIER')
    .input(byIdInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await declineRequest(ctx.deps, ctx.actor, input.id)
      return { message: 'Request declined' }
    }),
})
