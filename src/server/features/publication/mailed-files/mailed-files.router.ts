import { messageSchema } from '../../../../shared/schemas/file'
import {
  allowSendersInput,
  mailInboxSchema,
  mailInput,
  mailSchema,
  shownMailInboxSchema,
  takeMailInput,
} from '../../../../shared/schemas/mail-inbox'
import { byIdInput } from '../../../../shared/schemas/primitives'
import { router, supplierProcedure } from '../../../trpc/init'
import { allowSenders, createMailInbox, revokeMailInbox, showMailInbox } from './mail-inboxes'
import { discardMail, listMails, takeMail } from './mails'

export const mailInboxesRouter = router({
  get: supplierProcedure
    .input(byIdInput)
    .output(shownMailInboxSchema)
    .query(({ ctx, input }) => showMailInbox(ctx.deps, ctx.actor, input.id)),

  create: supplierProcedure
    .input(byIdInput)
    .output(mailInboxSchema)
    .mutation(({ ctx, input }) => createMailInbox(ctx.deps, ctx.actor, input.id)),

  allowSenders: supplierProcedure
    .input(allowSendersInput)
    .output(mailInboxSchema)
    .mutation(({ ctx, input }) => allowSenders(ctx.deps, ctx.actor, input)),

  revoke: supplierProcedure
    .input(byIdInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await revokeMailInbox(ctx.deps, ctx.actor, input.id)
      return { message: 'Address ended' }
    }),
})

export const mailsRouter = router({
  list: supplierProcedure
    .meta({ cost: 2 })
    .input(byIdInput)
    .output(mailSchema.array())
    .query(({ ctx, input }) => listMails(ctx.deps, ctx.actor, input.id)),

  take: supplierProcedure
    .input(takeMailInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await takeMail(ctx.deps, ctx.actor, input)
      return { message: 'The file is taken' }
    }),

  discard: supplierProcedure
    .input(mailInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await discardMail(ctx.deps, ctx.actor, input)
      return { message: 'The mail is discarded' }
    }),
})
