import { z } from 'zod'

import { readPasswordMinLength } from '../features/people/accounts/new-password'
import { publicProcedure, router } from '../trpc/init'

export const appInfoRouter = router({
  /** Settings that screens need, some of them before anybody is signed in. */
  info: publicProcedure
    .output(
      z.object({
        appName: z.string(),
        isSignupAllowed: z.boolean(),
        isGoogleConfigured: z.boolean(),
        /** Whether the installation sends e-mail. */
        sendsMail: z.boolean(),
        /** Whether files can be put and fetched by SFTP. */
        servesSftp: z.boolean(),
        /** The product's address for everybody; null when it is not configured. */
        publicUrl: z.string().nullable(),
        /** How long a new password has to be at least. */
        passwordMinLength: z.number(),
      }),
    )
    .query(async ({ ctx }) => {
      const { appName, isSignupAllowed, publicUrl = null } = ctx.deps.config
      const isGoogleConfigured = ctx.deps.identityProvider !== null
      const sendsMail = ctx.deps.mail !== null
      const servesSftp = ctx.deps.config.sftp !== null
      const passwordMinLength = await readPasswordMinLength(ctx.deps)
      return {
        appName,
        isSignupAllowed,
        isGoogleConfigured,
        sendsMail,
        servesSftp,
        publicUrl,
        passwordMinLength,
      }
    }),
})
