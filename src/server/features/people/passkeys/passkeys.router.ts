import { messageSchema } from '../../../../shared/schemas/file'
import {
  addPasskeyInput,
  ownPasskeysSchema,
  passkeyQuestionSchema,
  passkeySetupSchema,
  passkeySignInInput,
  removePasskeyInput,
  renamePasskeyInput,
} from '../../../../shared/schemas/passkey'
import { userSchema } from '../../../../shared/schemas/user'
import { publicProcedure, router, signedInProcedure } from '../../../trpc/init'
import { toCurrentUser } from '../accounts/accounts'
import { readCallSource } from './call-source'
import { addPasskey, listPasskeys, preparePasskey, removePasskey, renamePasskey } from './passkeys'
import { prepareSignIn, signInByPasskey } from './sign-in-by-passkey'

const changingProcedure = signedInProcedure.meta({ area: 'own', needsConfirmation: true })

/** Passkeys, by which people sign in without a password. */
export const passkeysRouter = router({
  list: signedInProcedure
    .output(ownPasskeysSchema)
    .query(({ ctx }) => listPasskeys(ctx.deps, ctx.actor, readCallSource(ctx))),

  /** A mutation, although it changes nothing: each challenge is answered once. */
  prepare: changingProcedure
    .output(passkeySetupSchema)
    .mutation(({ ctx }) => preparePasskey(ctx.deps, ctx.actor, readCallSource(ctx))),

  add: changingProcedure
    .meta({ cost: 2 })
    .input(addPasskeyInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await addPasskey(ctx.deps, ctx.actor, input, readCallSource(ctx))
      return { message: 'Passkey added' }
    }),

  rename: signedInProcedure
    .meta({ area: 'own' })
    .input(renamePasskeyInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await renamePasskey(ctx.deps, ctx.actor, input)
      return { message: 'Passkey renamed' }
    }),

  remove: changingProcedure
    .input(removePasskeyInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await removePasskey(ctx.deps, ctx.actor, input.id)
      return { message: 'Passkey removed' }
    }),

  /** A mutation, as `prepare`. */
  prepareSignIn: publicProcedure
    .output(passkeyQuestionSchema)
    .mutation(({ ctx }) => prepareSignIn(ctx.deps, ctx.origin)),

  signIn: publicProcedure
    .meta({ cost: 2 })
    .input(passkeySignInInput)
    .output(userSchema)
    .mutation(async ({ ctx, input }) => {
      const from = { address: ctx.address, calledAt: ctx.origin }
      const user = await signInByPasskey(ctx.deps, input, from)
      await ctx.session.signIn(user)
      return toCurrentUser(ctx.deps, user)
    }),
})
