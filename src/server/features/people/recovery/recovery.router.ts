import { messageSchema } from '../../../../shared/schemas/file'
import {
  newPasswordInput,
  openedPasswordLinkSchema,
  openPasswordLinkInput,
  passwordLinkInput,
} from '../../../../shared/schemas/recovery'
import { publicProcedure, router } from '../../../trpc/init'
import { openPasswordLink, requestPasswordLink, setPasswordByLink } from './recovery'

/** A new password for somebody who has forgotten it, by a link that is sent to a confirmed address. */
export const recoveryRouter = router({
  request: publicProcedure
    .input(passwordLinkInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await requestPasswordLink(ctx.deps, input, ctx.address)
      return {
        message: 'If there is such an account with a confirmed address, a link was sent to it',
      }
    }),

  /** A mutation, although it changes nothing: proxies log the input of queries. */
  open: publicProcedure
    .meta({ cost: 2 })
    .input(openPasswordLinkInput)
    .output(openedPasswordLinkSchema)
    .mutation(({ ctx, input }) => openPasswordLink(ctx.deps, input.token, ctx.address)),

  setPassword: publicProcedure
    .meta({ cost: 5 })
    .input(newPasswordInput)
    .output(openedPasswordLinkSchema)
    .mutation(({ ctx, input }) => setPasswordByLink(ctx.deps, input, ctx.address)),
})
