import { messageSchema } from '../../../../shared/schemas/file'
import {
  deleteAccountInput,
  deletionOutcomeSchema,
  keepAccountInput,
  ownAccountSchema,
} from '../../../../shared/schemas/personal-data'
import { router, signedInProcedure } from '../../../trpc/init'
import { deleteAccount, getOwnAccount, keepAccount } from './account-deletion'

/** What is stored about people, and its deletion. */
export const personalDataRouter = router({
  ownAccount: signedInProcedure
    .output(ownAccountSchema)
    .query(({ ctx }) => getOwnAccount(ctx.deps, ctx.actor)),

  deleteAccount: signedInProcedure
    .meta({ cost: 5, area: 'own' })
    .input(deleteAccountInput)
    .output(deletionOutcomeSchema)
    .mutation(({ ctx, input }) => {
      const from = { address: ctx.address, sessionIdHash: ctx.session.idHash }
      return deleteAccount(ctx.deps, ctx.actor, input, from)
    }),

  keepAccount: signedInProcedure
    .meta({ area: 'company' })
    .input(keepAccountInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await keepAccount(ctx.deps, ctx.actor, input.companyId)
      return { message: 'The account stays' }
    }),
})
