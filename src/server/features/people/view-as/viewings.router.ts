import { z } from 'zod'

import { messageSchema } from '../../../../shared/schemas/file'
import { idSchema } from '../../../../shared/schemas/primitives'
import { procedureFor, router, signedInProcedure } from '../../../trpc/init'
import { beginViewing, stopViewing } from './viewings'

/** View as: an administrator sees what another user sees, and can change nothing. */
export const viewingsRouter = router({
  begin: procedureFor('SUPER_ADMIN')
    .input(z.object({ userId: idSchema }))
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await beginViewing(ctx.deps, ctx.actor, input.userId, ctx.session.idHash)
      return { message: 'You see the product as this user' }
    }),

  stop: signedInProcedure.output(messageSchema).mutation(async ({ ctx }) => {
    await stopViewing(ctx.deps, ctx.session.idHash)
    return { message: 'You see the product as yourself' }
  }),
})
