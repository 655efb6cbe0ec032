import { messageSchema } from '../../../../shared/schemas/file'
import {
  endSessionInput,
  endSessionsInput,
  listSessionsInput,
  sessionSchema,
} from '../../../../shared/schemas/session'
import { router, signedInProcedure } from '../../../trpc/init'
import { endSession, endSessions, listSessions } from './sessions'

const confirmedProcedure = signedInProcedure.meta({ area: 'own', needsConfirmation: true })

/** Where people are signed in: the caller, or a person whom an administrator names. */
export const sessionsRouter = router({
  list: signedInProcedure
    .input(listSessionsInput)
    .output(sessionSchema.array())
    .query(({ ctx, input }) =>
      listSessions(ctx.deps, ctx.actor, { ...input, presentIdHash: ctx.session.idHash }),
    ),

  end: confirmedProcedure
    .input(endSessionInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await endSession(ctx.deps, ctx.actor, input)
      return { message: 'Signed out there' }
    }),

  endOthers: confirmedProcedure
    .input(endSessionsInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      const whose = { ...input, presentIdHash: ctx.session.idHash }
      const isAny = await endSessions(ctx.deps, ctx.actor, whose)
      return { message: isAny ? 'Signed out everywhere else' : 'Nowhere else signed in' }
    }),
})
