import {
  alertChoiceInput,
  alertChoicesSchema,
  confirmAddressInput,
  mailAddressInput,
  notificationListSchema,
  readNotificationsInput,
} from '../../../../shared/schemas/alert'
import { digestChoiceSchema } from '../../../../shared/schemas/digest'
import { messageSchema } from '../../../../shared/schemas/file'
import { procedureFor, router, signedInProcedure } from '../../../trpc/init'
import { saveDigestChoice } from '../digests/digest-choice'
import { readAlertChoices, saveAlertChoice } from './choices'
import { confirmMailAddress, removeMailAddress, requestMailAddress } from './mail-address'
import { listNotifications, readNotifications } from './notifications'

/** What the caller is told of, and how. */
export const alertsRouter = router({
  list: signedInProcedure
    .meta({ isWithoutFactor: true })
    .output(notificationListSchema)
    .query(({ ctx }) => listNotifications(ctx.deps, ctx.actor)),

  markRead: signedInProcedure
    .meta({ area: 'own', isWithoutFactor: true })
    .input(readNotificationsInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await readNotifications(ctx.deps, ctx.actor, input.id)
      return { message: 'Marked as read' }
    }),

  choices: signedInProcedure
    .output(alertChoicesSchema)
    .query(({ ctx }) => readAlertChoices(ctx.deps, ctx.actor)),

  choose: signedInProcedure
    .meta({ area: 'own' })
    .input(alertChoiceInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await saveAlertChoice(ctx.deps, ctx.actor, input)
      return { message: 'Saved' }
    }),

  chooseDigest: procedureFor('SUPPLIER', 'RETAILER')
    .meta({ area: 'own' })
    .input(digestChoiceSchema)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await saveDigestChoice(ctx.deps, ctx.actor, input)
      return { message: 'Saved' }
    }),

  setAddress: signedInProcedure
    .meta({ area: 'own', needsConfirmation: true })
    .input(mailAddressInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await requestMailAddress(ctx.deps, ctx.actor, input.address, ctx.address)
      return { message: `A link was sent to ${input.address}` }
    }),

  confirmAddress: signedInProcedure
    .meta({ area: 'own' })
    .input(confirmAddressInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await confirmMailAddress(ctx.deps, ctx.actor, input.token)
      return { message: 'Address confirmed' }
    }),

  removeAddress: signedInProcedure
    .meta({ area: 'own', needsConfirmation: true })
    .output(messageSchema)
    .mutation(async ({ ctx }) => {
      await removeMailAddress(ctx.deps, ctx.actor)
      return { message: 'Address removed' }
    }),
})
