import { messageSchema } from '../../../../shared/schemas/file'
import { idSchema } from '../../../../shared/schemas/primitives'
import {
  createWebhookInput,
  webhookLogEntrySchema,
  newWebhookSchema,
  updateWebhookInput,
  webhookInput,
  webhookSchema,
} from '../../../../shared/schemas/webhook'
import { limitCalls, procedureFor, router } from '../../../trpc/init'
import { listWebhookLog, sendAgain, sendTest } from './webhook-log'
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './webhooks'

const ownProcedure = procedureFor('SUPPLIER', 'SUPER_ADMIN')

/** The caller's own webhooks. */
export const webhooksRouter = router({
  list: ownProcedure
    .output(webhookSchema.array())
    .query(({ ctx }) => listWebhooks(ctx.deps, ctx.actor)),

  create: ownProcedure
    .input(createWebhookInput)
    .output(newWebhookSchema)
    .mutation(({ ctx, input }) => createWebhook(ctx.deps, ctx.actor, input)),

  update: ownProcedure
    .input(updateWebhookInput)
    .use(limitCalls('changeAccess'))
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await updateWebhook(ctx.deps, ctx.actor, input)
      return { message: 'Webhook saved' }
    }),

  delete: ownProcedure
    .input(webhookInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await deleteWebhook(ctx.deps, ctx.actor, input.id)
      return { message: 'Webhook deleted' }
    }),

  deliveries: ownProcedure
    .input(webhookInput)
    .output(webhookLogEntrySchema.array())
    .query(({ ctx, input }) => listWebhookLog(ctx.deps, ctx.actor, input.id)),

  sendTest: ownProcedure
    .input(webhookInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await sendTest(ctx.deps, ctx.actor, input.id)
      return { message: 'A test is on its way' }
    }),

  sendAgain: ownProcedure
    .input(webhookInput.extend({ deliveryId: idSchema }))
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await sendAgain(ctx.deps, ctx.actor, input)
      return { message: 'It is sent again' }
    }),
})
