import { createSupplierUser, PASSWORD } from '../fixtures/factories'
import { putWebhook } from '../fixtures/webhooks'
import type { Call, LimitedCall } from './limited-call'
import type { TestApp } from './test-app'
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

/** A call of a new supplier for a link to this address. */
async function askForLink(testApp: TestApp, from: string, address: string): Promise<Call> {
  const { username } = await createSupplierUser(testApp.deps)
  const client = testApp.client(undefined, from)
  await client.request('POST', '/api/login', { username, password: PASSWORD })
  return { client, body: { address } }
}

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
    limit: 'confirmFromClient',
    allowed: 20,
    retryAfterSeconds: 60 * MINUTE_SECONDS,
    route: null,
    procedure: 'alerts.setAddress',
    status: 200,
    make: ({ testApp }, count) => askForLink(testApp, '203.0.113.1', `acme@shop-${count}.example`),
    makeOther: ({ testApp }) => askForLink(testApp, '203.0.113.2', 'other@other.example'),
  },
  {
    limit: 'confirmAtDomain',
    allowed: 300,
    retryAfterSeconds: 60 * MINUTE_SECONDS,
    route: null,
    procedure: 'alerts.setAddress',
    status: 200,
    make: ({ testApp }, count) =>
      askForLink(testApp, `198.51.100.${count % 250}`, `v${count}@mail-${count}.example.com`),
    makeOther: ({ testApp }) => askForLink(testApp, '203.0.113.2', 'v@example.org'),
  },
  {
    limit: 'changeAccess',
    allowed: 300,
    retryAfterSeconds: 60 * MINUTE_SECONDS,
    route: 'PATCH /api/connections/:id',
    procedure: 'connections.update',
    status: 200,
    make: ({ clients, connectionId: id }, count) => ({
      client: clients.owningSupplier,
      body: { name: `Catalogue ${count}` },
      params: { id },
    }),
    makeOther: ({ clients, connectionId: id }) => ({
      client: clients.administrator,
      body: { name: 'Catalogue' },
      params: { id },
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
