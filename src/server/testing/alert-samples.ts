import { inTransaction } from '../db/open'
import { createSecretToken, hashSecretToken } from '../domain/secret-token'
import { putPendingAddress } from '../features/alerts/choices.queries'
import type { Sampler } from './sampler'
import { putFailedDelivery, putWebhook } from './webhooks'

const settings = { url: 'https://example.com/hook', kinds: ['feed.failed'], isActive: true }
const ofWebhook: Sampler = async ({ testApp: { deps }, supplier }) => ({
  body: { id: await putWebhook(deps, supplier.id) },
})

/** The inputs of the calls of alerts and webhooks. */
export const alertSamplers: Record<string, Sampler> = {
  'alerts.list': () => ({}),
  'alerts.markRead': () => ({ body: {} }),
  'alerts.choices': () => ({}),
  // Of a kind that concerns every role.
  'alerts.choose': () => ({ body: { kind: 'feed.late', way: 'mail', isWanted: true } }),
  'alerts.setAddress': () => ({ body: { address: 'me@example.com' } }),
  'alerts.confirmAddress': async ({ testApp: { deps }, userIds }, actor) => {
    const token = createSecretToken()
    const tokenExpiresAt = deps.clock.now() + 1_000
    const pending = { pendingAddress: 'me@example.com', tokenHash: hashSecretToken(token) }
    await inTransaction(deps.db, (trx) =>
      putPendingAddress(trx, { userId: userIds[actor], tokenExpiresAt, ...pending }),
    )
    return { body: { token } }
  },
  'alerts.removeAddress': () => ({}),
  'webhooks.list': () => ({}),
  'webhooks.create': () => ({ body: settings }),
  'webhooks.update': async (world, actor) => ({
    body: { ...(await ofWebhook(world, actor)).body, ...settings },
  }),
  'webhooks.delete': ofWebhook,
  'webhooks.deliveries': ofWebhook,
  'webhooks.sendTest': ofWebhook,
  'webhooks.sendAgain': async ({ testApp: { deps }, supplier }) => ({
    body: await putFailedDelivery(deps, supplier.id),
  }),
}
