import { messageSchema } from '../../../../shared/schemas/file'
import { byIdInput, idSchema } from '../../../../shared/schemas/primitives'
import {
  createWebhookInput,
  webhookLogEntrySchema,
  newWebhookSchema,
  updateWebhookInput,
  webhookSchema,
} from '../../../../shared/schemas/webhook'
import { limitCalls, router, supplierProcedure } from '../../../trpc/init'
import { listWebhookLog, sendAgain, sendTest } from './webhook-log'
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './webhooks'

/** The caller's own webhooks. */
export const webhooksRouter = router({
  list: supplierProcedure
    .output(webhookSchema.array())
    .query(({ ctx }) => listWebhooks(ctx.deps, ctx.actor)),

  create: supplierProcedure
    .input(createWebhookInput)
    .output(newWebhookSchema)
    .mutation(({ ctx, input }) => createWebhook(ctx.deps, ctx.actor, input)),

  update: supplierProcedure
    .input(updateWebhookInput)
    .use(limitCalls('changeAccess'))
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await updateWebhook(ctx.deps, ctx.actor, input)
      return { message: 'Webhook saved' }
    }),

  delete: supplierProcedure
    .input(byIdInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await deleteWebhook(ctx.deps, ctx.actor, input.id)
      return { message: 'Webhook deleted' }
    }),

  deliveries: supplierProcedure
    .input(byIdInput)
    .output(webhookLogEntrySchema.array())
    .query(({ ctx, input }) => listWebhookLog(ctx.deps, ctx.actor, input.id)),

  sendTest: supplierProcedure
    .input(byIdInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await sendTest(ctx.deps, ctx.actor, input.id)
      return { message: 'A test is on its way' }
    }),

  sendAgain: supplierProcedure
    .input(byIdInput.extend({ deliveryId: idSchema }))
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await sendAgain(ctx.deps, ctx.actor, input)
      return { message: 'It is sent again' }
    }),
})
