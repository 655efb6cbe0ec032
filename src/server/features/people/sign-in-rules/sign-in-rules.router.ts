import { messageSchema } from '../../../../shared/schemas/file'
import { changeSignInRulesInput, signInRulesSchema } from '../../../../shared/schemas/sign-in-rules'
import { adminProcedure, limitCalls, router } from '../../../trpc/init'
import { changeSignInRules, getSignInRules } from './sign-in-rules'

/** What an installation asks of all who sign in. */
export const signInRulesRouter = router({
  get: adminProcedure.output(signInRulesSchema).query(({ ctx }) => getSignInRules(ctx.deps)),

  change: adminProcedure
    .meta({ needsConfirmation: true })
    .input(changeSignInRulesInput)
    .use(limitCalls('changeSignInRules'))
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await changeSignInRules(ctx.deps, input)
      return { message: 'Saved' }
    }),
})
