import { messageSchema } from '../../../../shared/schemas/file'
import {
  ownSecondFactorSchema,
  recoveryCodesSchema,
  secondFactorProofInput,
  secondFactorSetupSchema,
  turnOnSecondFactorInput,
} from '../../../../shared/schemas/second-factor'
import { router, signedInProcedure } from '../../../trpc/init'
import {
  getSecondFactor,
  prepareSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from './second-factor'

const changingProcedure = signedInProcedure.meta({ cost: 5, area: 'own' })

/** The code that the caller's sign-ins need besides the password. */
export const secondFactorRouter = router({
  get: signedInProcedure
    .meta({ isWithoutFactor: true })
    .output(ownSecondFactorSchema)
    .query(({ ctx }) => getSecondFactor(ctx.deps, ctx.actor)),

  /** A mutation, although it changes nothing: a key must not be kept by the cache of a browser. */
  prepare: signedInProcedure
    .meta({ area: 'own', isWithoutFactor: true })
    .output(secondFactorSetupSchema)
    .mutation(({ ctx }) => prepareSecondFactor(ctx.deps, ctx.actor)),

  turnOn: changingProcedure
    .meta({ isWithoutFactor: true })
    .input(turnOnSecondFactorInput)
    .output(recoveryCodesSchema)
    .mutation(async ({ ctx, input }) => {
      const from = { sessionIdHash: ctx.session.idHash, address: ctx.address }
      const { actor, recoveryCodes } = await turnOnSecondFactor(ctx.deps, ctx.actor, input, from)
      await ctx.session.signIn(actor)
      return { recoveryCodes }
    }),

  turnOff: changingProcedure
    .input(secondFactorProofInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await turnOffSecondFactor(ctx.deps, ctx.actor, input, ctx.address)
      return { message: 'Second factor turned off' }
    }),

  renewCodes: changingProcedure
    .input(secondFactorProofInput)
    .output(recoveryCodesSchema)
    .mutation(async ({ ctx, input }) => ({
      recoveryCodes: await renewRecoveryCodes(ctx.deps, ctx.actor, input, ctx.address),
    })),
})
