import { z } from 'zod'

import { messageSchema } from '../../../../shared/schemas/file'
import { idSchema } from '../../../../shared/schemas/primitives'
import { adminProcedure, router, signedInProcedure } from '../../../trpc/init'
import { startViewAs, stopViewAs } from './view-as'

/** View as: an administrator sees what another user sees, and can change nothing. */
export const viewAsRouter = router({
  begin: adminProcedure
    .meta({ needsConfirmation: true })
    .input(z.object({ userId: idSchema }))
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await startViewAs(ctx.deps, ctx.actor, input.userId, ctx.session.idHash)
      return { message: 'You see the product as this user' }
    }),

  stop: signedInProcedure
    .meta({ area: 'own' })
    .output(messageSchema)
    .mutation(async ({ ctx }) => {
      await stopViewAs(ctx.deps, ctx.session.idHash)
      return { message: 'You see the product as yourself' }
    }),
})
