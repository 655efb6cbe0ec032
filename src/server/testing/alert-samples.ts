import { inTransaction } from '../db/open'
import type { Deps } from '../domain/deps'
import { createSecretToken, hashSecretToken } from '../domain/secret-token'
import {
  confirmPendingAddress,
  putPendingAddress,
} from '../features/alerting/alerts/choices.queries'
import { createUnsubscribeToken } from '../features/alerting/outbox/unsubscribe-token'
import type { ActorKind } from './access-matrix/actors'
import type { Sampler } from './sampler'
import { putFailedDelivery, putWebhook } from './webhooks'
import type { World } from './world'

const settings = { url: 'https://example.com/hook', kinds: ['feed.failed'], isActive: true }
type Owner = (world: World, actor: ActorKind) => number
const ofSupplier: Owner = ({ supplier }) => supplier.id
const ofCaller: Owner = ({ userIds }, actor) => userIds[actor]

/** The inputs of the calls about one webhook of this user. */
function webhookSamplers(whose: string, owner: Owner): Record<string, Sampler> {
  const ofWebhook: Sampler = async (world, actor) => ({
    body: { id: await putWebhook(world.testApp.deps, owner(world, actor)) },
  })
  return {
    [`webhooks.update ${whose}`]: async (world, actor) => ({
      body: { ...(await ofWebhook(world, actor)).body, ...settings },
    }),
    [`webhooks.delete ${whose}`]: ofWebhook,
    [`webhooks.deliveries ${whose}`]: ofWebhook,
    [`webhooks.sendTest ${whose}`]: ofWebhook,
    [`webhooks.sendAgain ${whose}`]: async (world, actor) => ({
      body: await putFailedDelivery(world.testApp.deps, owner(world, actor)),
    }),
  }
}

async function putPending(deps: Deps, userId: number): Promise<string> {
  const token = createSecretToken()
  const tokenExpiresAt = deps.clock.now() + 1_000
  const pending = { pendingAddress: 'me@example.com', tokenHash: hashSecretToken(token) }
  await inTransaction(deps.db, (trx) =>
    putPendingAddress(trx, { userId, tokenExpiresAt, ...pending }),
  )
  return token
}

/** Gives the supplier an address, as if it had confirmed it; returns the token of a mail to it. */
const ofMail: Sampler = async ({ testApp: { deps }, supplier: { id: userId } }) => {
  const tokenHash = hashSecretToken(await putPending(deps, userId))
  const confirmed = { userId, tokenHash, now: deps.clock.now() }
  await inTransaction(deps.db, (trx) => confirmPendingAddress(trx, confirmed))
  return { params: { token: createUnsubscribeToken(deps, { userId, address: 'me@example.com' }) } }
}
const ofNoMail: Sampler = ({ supplier }) => ({
  params: { token: `${supplier.id}-${'0'.repeat(64)}` },
})

/** The inputs of the calls of alerts and webhooks. */
export const alertSamplers: Record<string, Sampler> = {
  'alerts.list': () => ({}),
  'alerts.markRead': () => ({ body: {} }),
  'alerts.choices': () => ({}),
  // Of a kind that concerns every role.
  'alerts.choose': () => ({ body: { kind: 'feed.late', way: 'mail', isWanted: true } }),
  'alerts.setAddress': () => ({ body: { address: 'me@example.com' } }),
  'alerts.confirmAddress': async ({ testApp: { deps }, userIds }, actor) => ({
    body: { token: await putPending(deps, userIds[actor]) },
  }),
  'alerts.removeAddress': () => ({}),
  'GET /unsubscribe/:token with a token': ofMail,
  'GET /unsubscribe/:token with a wrong token': ofNoMail,
  'POST /unsubscribe/:token with a token': ofMail,
  'POST /unsubscribe/:token with a wrong token': ofNoMail,
  'webhooks.list': () => ({}),
  'webhooks.create': () => ({ body: settings }),
  ...webhookSamplers('of the supplier', ofSupplier),
  ...webhookSamplers('of the caller', ofCaller),
}
