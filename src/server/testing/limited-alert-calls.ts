import type { LimitedCall } from './limited-call'
import { putWebhook } from './webhooks'
import type { World } from './world'

const MINUTE_SECONDS = 60

const NEW_WEBHOOK = {
  url: 'https://hooks.example.com/stock',
  kinds: ['feed.published'],
  isActive: true,
}

const testOf = async ({ testApp: { deps } }: World, userId: number) => ({
  id: await putWebhook(deps, userId),
})

/** The limited calls of alerts and webhooks, in the order of the limits. */
export const limitedAlertCalls: readonly LimitedCall[] = [
  {
    limit: 'confirmAddress',
    allowed: 5,
    retryAfterSeconds: 60 * MINUTE_SECONDS,
    route: null,
    procedure: 'alerts.setAddress',
    status: 200,
    make: ({ clients }, count) => ({
      client: clients.owningSupplier,
      body: { address: `acme-${count}@example.com` },
    }),
    makeOther: ({ clients }) => ({
      client: clients.otherSupplier,
      body: { address: 'other@example.com' },
    }),
  },
  {
    limit: 'createWebhook',
    allowed: 60,
    retryAfterSeconds: 60 * MINUTE_SECONDS,
    route: null,
    procedure: 'webhooks.create',
    status: 200,
    make: async ({ testApp, clients }) => {
      // One user has at most ten at a time.
      await testApp.deps.db.deleteFrom('webhooks').execute()
      return { client: clients.owningSupplier, body: NEW_WEBHOOK }
    },
    makeOther: ({ clients }) => ({ client: clients.otherSupplier, body: NEW_WEBHOOK }),
  },
  {
    limit: 'sendByHand',
    allowed: 30,
    retryAfterSeconds: MINUTE_SECONDS,
    route: null,
    procedure: 'webhooks.sendTest',
    status: 200,
    make: async (world) => ({
      client: world.clients.owningSupplier,
      body: await testOf(world, world.supplier.id),
    }),
    makeOther: async (world) => ({
      client: world.clients.otherSupplier,
      body: await testOf(world, world.otherSupplier.id),
    }),
  },
]
