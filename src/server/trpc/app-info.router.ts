import { z } from 'zod'

import { publicProcedure, router } from './init'

export const appInfoRouter = router({
  /** Settings that the sign-in screen needs before anybody is signed in. */
  info: publicProcedure
    .output(
      z.object({
        appName: z.string(),
        isSignupAllowed: z.boolean(),
        isGoogleConfigured: z.boolean(),
      }),
    )
    .query(({ ctx }) => {
      const { appName, isSignupAllowed } = ctx.deps.config
      return { appName, isSignupAllowed, isGoogleConfigured: ctx.deps.identityProvider !== null }
    }),
})
