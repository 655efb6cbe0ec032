import { messageSchema } from '../../../../shared/schemas/file'
import { passkeyAnswerInput, passkeyQuestionSchema } from '../../../../shared/schemas/passkey'
import { confirmInput } from '../../../../shared/schemas/session'
import { router, signedInProcedure } from '../../../trpc/init'
import { takeGoogleIdentity } from '../accounts/google-sign-in'
import { readCallSource } from '../passkeys/call-source'
import { confirmByPasskey, prepareByPasskey } from './confirm-by-passkey'
import { confirmByIdentity, confirmByPassword } from './confirmation'

const confirmed = { message: 'Confirmed' }

/** Who uses a session: asked before what a stolen session must not do. */
export const confirmationRouter = router({
  /** Refused like the calls that need it: before a download, which is not a call. */
  check: signedInProcedure
    .meta({ needsConfirmation: true })
    .output(messageSchema)
    .query(() => confirmed),

  byPassword: signedInProcedure
    .meta({ cost: 5, area: 'own', isWithoutFactor: true })
    .input(confirmInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      const from = { sessionIdHash: ctx.session.idHash, address: ctx.address }
      await confirmByPassword(ctx.deps, ctx.actor, input.password, from)
      return confirmed
    }),

  byGoogle: signedInProcedure
    .meta({ area: 'own', isWithoutFactor: true })
    .output(messageSchema)
    .mutation(async ({ ctx }) => {
      const { idHash } = ctx.session
      const identity = await takeGoogleIdentity(ctx.deps, idHash, { isConfirmation: true })
      await confirmByIdentity(ctx.deps, ctx.actor, identity, idHash)
      return confirmed
    }),

  /** A mutation, although it changes nothing: each challenge is answered once. */
  prepareByPasskey: signedInProcedure
    .meta({ area: 'own' })
    .output(passkeyQuestionSchema)
    .mutation(({ ctx }) => prepareByPasskey(ctx.deps, ctx.actor, readCallSource(ctx))),

  byPasskey: signedInProcedure
    .meta({ cost: 2, area: 'own' })
    .input(passkeyAnswerInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await confirmByPasskey(ctx.deps, ctx.actor, input.answer, readCallSource(ctx))
      return confirmed
    }),
})
