import { z } from 'zod'

import { messageSchema } from '../../../../shared/schemas/file'
import {
  changePasswordInput,
  currentUserSchema,
  googleSignInInput,
  loginInput,
  registerInput,
  registerRoleInput,
  userSchema,
} from '../../../../shared/schemas/user'
import { publicProcedure, router, signedInProcedure } from '../../../trpc/init'
import { requireSecondFactor } from '../second-factor/sign-in-code'
import { changeOwnPassword, hasPassword, login, toCurrentUser, toUser, signOut } from './accounts'
import { signInWithGoogle } from './google-accounts'
import { takeGoogleIdentity } from './google-sign-in'
import { assertMayRegister, countRegistration, register } from './registration'

export const sessionRouter = router({
  /** null when signed out. Not an error, which the browser would print to its console. */
  current: publicProcedure
    .output(currentUserSchema.nullable())
    .query(({ ctx }) => ctx.actor && toCurrentUser(ctx.deps, ctx.actor)),

  login: publicProcedure
    .meta({ cost: 5 })
    .input(loginInput)
    .output(userSchema)
    .mutation(async ({ ctx, input }) => {
      const user = await login(ctx.deps, input, ctx.address)
      await requireSecondFactor(ctx.deps, user, input.code, ctx.address)
      await ctx.session.signIn(user)
      return toCurrentUser(ctx.deps, user)
    }),

  google: publicProcedure
    .use(async ({ ctx, next }) => {
      const identity = await takeGoogleIdentity(ctx.deps, ctx.session.idHash)
      return next({ ctx: { ...ctx, identity } })
    })
    .input(googleSignInInput)
    .output(userSchema)
    .mutation(async ({ ctx, input }) => {
      const user = await signInWithGoogle(ctx.deps, ctx.identity, input.uid, ctx.address)
      await ctx.session.signIn(user, { isByProvider: true })
      return toCurrentUser(ctx.deps, user)
    }),

  register: publicProcedure
    .meta({ cost: 5, isWithoutFactor: false })
    .use(async ({ ctx, getRawInput, next }) => {
      // Permission is checked before the rest of the body is validated.
      const { data } = registerRoleInput.safeParse(await getRawInput())
      assertMayRegister(ctx.deps, ctx.actor, data?.role)
      return next()
    })
    .input(registerInput)
    .use(async ({ ctx, next }) => {
      await countRegistration(ctx.deps, ctx.actor, ctx.address)
      return next()
    })
    .output(userSchema)
    .mutation(async ({ ctx, input }) => {
      const user = await register(ctx.deps, ctx.actor, input, ctx.address)
      if (!ctx.actor) await ctx.session.signIn(user)
      return toUser(user)
    }),

  logout: publicProcedure.output(messageSchema).mutation(async ({ ctx }) => {
    if (ctx.actor) await signOut(ctx.deps, ctx.actor, ctx.session.idHash)
    await ctx.session.signOut()
    return { message: 'Signed out' }
  }),

  hasPassword: signedInProcedure
    .meta({ isWithoutFactor: true })
    .output(z.boolean())
    .query(({ ctx }) => hasPassword(ctx.deps, ctx.actor)),

  changePassword: signedInProcedure
    .meta({ cost: 5, area: 'own' })
    .input(changePasswordInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      const from = { sessionIdHash: ctx.session.idHash, address: ctx.address }
      const user = await changeOwnPassword(ctx.deps, ctx.actor, from, input)
      await ctx.session.signIn(user)
      return { message: 'Password updated' }
    }),
})
