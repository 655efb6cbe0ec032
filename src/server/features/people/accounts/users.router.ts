import { z } from 'zod'

import { messageSchema } from '../../../../shared/schemas/file'
import { idSchema } from '../../../../shared/schemas/primitives'
import { resetPasswordInput, usernameResultSchema } from '../../../../shared/schemas/user'
import { limitCalls, router, signedInProcedure, supplierProcedure } from '../../../trpc/init'
import { getUsername, resetPassword } from './accounts'

export const usersRouter = router({
  username: signedInProcedure
    .input(z.object({ userId: idSchema }))
    .output(usernameResultSchema)
    .query(({ ctx, input }) => getUsername(ctx.deps, ctx.actor, input.userId)),

  resetPassword: supplierProcedure
    .meta({ cost: 5 })
    .input(resetPasswordInput)
    .use(limitCalls('resetPassword'))
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await resetPassword(ctx.deps, ctx.actor, input, ctx.address)
      return { message: 'Password updated' }
    }),
})
