import type { ProcedurePath } from '../../api/procedures'
import type { LimitName } from '../../domain/limits'
import {
  createAdmin,
  createLinkedRetailer,
  createSupplierUser,
  PASSWORD,
} from '../fixtures/factories'
import { putInvitation } from '../fixtures/invitation-samples'
import { TEST_ORIGIN } from '../fixtures/passkeys'
import { createSoftwarePasskey } from '../fixtures/software-passkey'
import { putWebhook } from '../fixtures/webhooks'
import type { ActorKind } from '../suites/access-matrix/actors'
import type { Client } from './test-app'
import type { World } from './world'

type Input = { body?: Record<string, unknown>; params?: Record<string, number | string> }
export type Call = Input & { client: Client }

/** The number of a call of the subject that is counted, or the call of another subject. */
type Count = number | 'other'

export type LimitedCall = {
  limit: LimitName
  /** The number of calls before the first throttled one; `retryAfterSeconds` is its wait. */
  allowed: number
  retryAfterSeconds: number
  procedure: ProcedurePath
  /** The status of calls that are not throttled, when they fail for another reason. */
  failsWith?: number
  /** A call cancels the previous one of the same user, so they must not be concurrent. */
  isOneAtATime?: true
  /** The call with this number; the one of another subject is not throttled. */
  make(world: World, count: Count): Call | Promise<Call>
}

const HOUR_SECONDS = 3_600

export const account = (username: string) => ({
  username,
  password: PASSWORD,
  companyName: 'New',
  contactEmail: 'new@example.com',
})
export const guess = (username: string) => ({ username, password: 'wrong' })

const right = (username: string) => ({ username, password: PASSWORD })
const shop = {
  username: 'shop',
  contactEmail: 'shop@example.com',
  storeName: 'Shop',
  categories: [],
}
const newWebhook = {
  url: 'https://hooks.example.com/stock',
  kinds: ['feed.published'],
  isActive: true,
}

const newDestination = { name: 'Warehouse', config: { url: 'https://127.0.0.1/in/' } }

/** Makes calls of a signed-in user, and those of another one with the same kind of input. */
function by(
  user: ActorKind,
  other: ActorKind,
  inputOf: (world: World, count: Count) => Input | Promise<Input>,
) {
  return async (world: World, count: Count) => {
    const client = world.clients[count === 'other' ? other : user]
    return { client, ...(await inputOf(world, count)) }
  }
}

/** Makes calls of people who are not signed in: from an address, with a body. */
function signedOut(
  callOf: (
    world: World,
    count: Count,
  ) => [address: string | undefined, body: Record<string, unknown>],
) {
  return (world: World, count: Count) => {
    const [address, body] = callOf(world, count)
    return { client: world.testApp.client(undefined, address), body }
  }
}

/** As many links as one user may ask for: to sign in for each would take longer than all else. */
const LINKS_EACH = 5

/** The cookies of the suppliers that ask for links, by the world that they are in. */
const askers = new WeakMap<World, Map<Count, Promise<string | undefined>>>()

/** Makes calls for a link to an address, of as few new suppliers as may make them. */
function byNewSuppliers(callOf: (count: Count) => [from: string, address: string]) {
  return async (world: World, count: Count) => {
    const [from, address] = callOf(count)
    const cookies = askers.get(world) ?? new Map<Count, Promise<string | undefined>>()
    askers.set(world, cookies)
    const asker = count === 'other' ? count : Math.floor(count / LINKS_EACH)
    const cookie = cookies.get(asker) ?? signInNew(world, from)
    cookies.set(asker, cookie)
    return { client: world.testApp.client(await cookie, from), body: { address } }
  }
}

/** Makes calls for which everybody has confirmed to be there. */
const confirmed =
  (make: LimitedCall['make']): LimitedCall['make'] =>
  async (world, count) => {
    const call = await make(world, count)
    const { db, clock } = world.testApp.deps
    await inTurn(() => db.updateTable('sessions').set({ confirmedAt: clock.now() }).execute())
    return call
  }

let last: Promise<unknown> = Promise.resolve()

/** Two statements that change the same rows at once, each in an order of its own, would wait for each other. */
async function inTurn<Done>(work: () => Promise<Done>): Promise<Done> {
  const done = last.then(work)
  last = done.catch(() => undefined)
  return done
}

async function signInNew({ testApp }: World, from: string): Promise<string | undefined> {
  const client = testApp.client(undefined, from)
  const { username } = await createSupplierUser(testApp.deps)
  await client.request('POST', '/api/login', right(username))
  return client.cookie
}

/** An invitation of a supplier that may have any number of retailers. */
async function withRoom({ testApp }: World) {
  const { db } = testApp.deps
  await inTurn(() => db.updateTable('users').set({ maxRetailers: 1_000 }).execute())
  return { body: { storeName: 'New Shop' } }
}

/** The tokens of two invitations, by the world that they are in. */
const invitations = new WeakMap<World, Promise<string[]>>()

async function openedBy(world: World, count: Count): Promise<{ token: string }> {
  const { deps } = world.testApp
  const made =
    invitations.get(world) ??
    Promise.all([1, 2].map(async () => (await putInvitation(deps, world.supplier)).token))
  invitations.set(world, made)
  const [token = '', other = ''] = await made
  return { token: count === 'other' ? other : token }
}

/** A call for each limit that is counted in the database, in the order of the limits. */
export const limitedCalls: readonly LimitedCall[] = [
  {
    limit: 'loginFromAddress',
    allowed: 5,
    retryAfterSeconds: 1,
    procedure: 'session.login',
    failsWith: 401,
    make: signedOut(({ supplier, otherSupplier }, count) => [
      undefined,
      guess((count === 'other' ? otherSupplier : supplier).username),
    ]),
  },
  {
    limit: 'loginToAccount',
    allowed: 20,
    retryAfterSeconds: 15 * 60,
    procedure: 'session.login',
    failsWith: 401,
    // The other is the supplier itself, from an address that it has signed in from before.
    make: signedOut(({ supplier }, count) => [
      count === 'other' ? undefined : `203.0.113.${count}`,
      guess(supplier.username),
    ]),
  },
  {
    limit: 'loginAtAddress',
    allowed: 60,
    retryAfterSeconds: 60,
    procedure: 'session.login',
    failsWith: 401,
    make: signedOut((_, count) =>
      count === 'other' ? ['2001:db8::1', guess('guess-1')] : [undefined, guess(`guess-${count}`)],
    ),
  },
  {
    limit: 'signIn',
    // The supplier has signed in once already.
    allowed: 29,
    retryAfterSeconds: 60,
    procedure: 'session.login',
    make: signedOut(({ supplier, otherSupplier }, count) =>
      count === 'other'
        ? [undefined, right(otherSupplier.username)]
        : [`203.0.113.${count}`, right(supplier.username)],
    ),
  },
  {
    limit: 'signInAtAddress',
    allowed: 300,
    retryAfterSeconds: 60,
    procedure: 'session.login',
    make: async ({ testApp, supplier }, count) =>
      count === 'other'
        ? { client: testApp.client(), body: right(supplier.username) }
        : {
            client: testApp.client(undefined, '203.0.113.1'),
            body: right((await createSupplierUser(testApp.deps)).username),
          },
  },
  {
    limit: 'registerSupplier',
    allowed: 10,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'session.register',
    make: signedOut((_, count) => [
      count === 'other' ? '2001:db8::1' : undefined,
      account(`new-${count}`),
    ]),
  },
  {
    limit: 'registerRetailer',
    allowed: 120,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'session.register',
    // Each supplier registers the same login each time; the first call creates it.
    make: by('owningSupplier', 'otherSupplier', (_, count) => ({
      body: { ...right(count === 'other' ? 'other-shop' : 'shop'), role: 'RETAILER' },
    })),
  },
  {
    limit: 'checkRetailers',
    allowed: 30,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'suppliers.checkRetailers',
    make: by('owningSupplier', 'otherSupplier', () => ({ body: { retailers: [shop] } })),
  },
  {
    limit: 'addRetailers',
    allowed: 10,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'suppliers.addRetailers',
    // The username is taken: refused lists count as well.
    failsWith: 409,
    make: by('owningSupplier', 'otherSupplier', ({ retailer: { user } }) => ({
      body: { retailers: [{ ...shop, ...right(user.username) }] },
    })),
  },
  {
    limit: 'seedSuppliers',
    allowed: 60,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'suppliers.seed',
    make: async ({ testApp, clients }, count) => ({
      client:
        count === 'other'
          ? await testApp.signIn(await createAdmin(testApp.deps))
          : clients.administrator,
      body: { suppliers: [] },
    }),
  },
  {
    limit: 'invite',
    allowed: 60,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'invitations.inviteRetailer',
    make: by('owningSupplier', 'otherSupplier', withRoom),
  },
  {
    limit: 'inviteMailbox',
    allowed: 5,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'invitations.inviteRetailer',
    make: by('owningSupplier', 'otherSupplier', async (world, count) => {
      const { body } = await withRoom(world)
      const name = count === 'other' ? 'other' : `shop+${count}`
      return { body: { ...body, email: `${name}@example.com` } }
    }),
  },
  {
    limit: 'inviteAtDomain',
    allowed: 300,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'invitations.inviteSupplier',
    make: by('administrator', 'administrator', async ({ testApp }, count) => {
      // One administrator may send only some of them.
      await testApp.deps.db.deleteFrom('attempts').where('limitName', '=', 'invite').execute()
      const email = count === 'other' ? 'v@example.org' : `v${count}@mail-${count}.example.com`
      return { body: { companyName: 'New', email } }
    }),
  },
  {
    limit: 'recoverFromClient',
    allowed: 20,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'recovery.request',
    make: signedOut((_, count) => [
      count === 'other' ? '2001:db8::1' : '203.0.113.1',
      { login: `nobody ${count}` },
    ]),
  },
  {
    limit: 'openLink',
    allowed: 30,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'invitations.open',
    failsWith: 404,
    make: signedOut((_, count) => [
      count === 'other' ? '2001:db8::1' : '203.0.113.1',
      { token: `wrong-${count}` },
    ]),
  },
  {
    limit: 'acceptInvitation',
    allowed: 30,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'invitations.accept',
    failsWith: 409,
    make: async (world, count) => {
      const body = { ...account(world.supplier.username), ...(await openedBy(world, count)) }
      return { client: world.testApp.client(undefined, '203.0.113.1'), body }
    },
  },
  {
    limit: 'changePassword',
    allowed: 5,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'session.changePassword',
    failsWith: 400,
    make: by('ownRetailer', 'otherRetailer', () => ({
      body: { currentPassword: 'wrong', newPassword: 'another horse' },
    })),
  },
  {
    limit: 'confirm',
    allowed: 5,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'confirmation.byPassword',
    failsWith: 400,
    make: by('ownRetailer', 'otherRetailer', () => ({ body: { password: 'wrong' } })),
  },
  {
    limit: 'secondFactor',
    allowed: 10,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'secondFactor.turnOff',
    failsWith: 400,
    make: by('ownRetailer', 'otherRetailer', () => ({ body: { password: 'wrong', code: '1' } })),
  },
  {
    limit: 'changeSignInRules',
    allowed: 10,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'signInRules.change',
    make: confirmed(async ({ testApp, clients }, count) => ({
      client:
        count === 'other'
          ? await testApp.signIn(await createAdmin(testApp.deps))
          : clients.administrator,
      body: {
        graceDays: { SUPER_ADMIN: null, SUPPLIER: null, RETAILER: null },
        passwordMinLength: 6,
        isCommonRefused: false,
      },
    })),
  },
  {
    limit: 'addPasskey',
    allowed: 30,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'passkeys.add',
    failsWith: 400,
    make: confirmed(
      by('ownRetailer', 'otherRetailer', () => {
        const made = createSoftwarePasskey(TEST_ORIGIN).make({
          challenge: 'made-up',
          rp: { id: 'localhost' },
          user: { id: 'AA' },
        })
        return { body: { name: 'Laptop', made } }
      }),
    ),
  },
  {
    limit: 'deleteAccount',
    allowed: 10,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'personalData.deleteAccount',
    failsWith: 400,
    make: by('ownRetailer', 'otherRetailer', () => ({ body: { confirmation: 'wrong' } })),
  },
  {
    limit: 'resetPassword',
    allowed: 30,
    retryAfterSeconds: 60,
    procedure: 'users.resetPassword',
    make: by('owningSupplier', 'administrator', ({ retailer }) => ({
      params: { userId: retailer.user.id },
      body: { newPassword: 'another horse' },
    })),
  },
  {
    limit: 'previewSource',
    allowed: 30,
    retryAfterSeconds: 60,
    procedure: 'connections.previewSource',
    isOneAtATime: true,
    make: by('owningSupplier', 'otherSupplier', ({ sourceUrl: url }) => ({ body: { url } })),
  },
  {
    limit: 'syncNow',
    allowed: 6,
    retryAfterSeconds: 60,
    procedure: 'connections.sync',
    make: by('owningSupplier', 'administrator', ({ connectionId: id }) => ({ params: { id } })),
  },
  {
    limit: 'createApiKey',
    allowed: 30,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'apiKeys.create',
    make: by('ownRetailer', 'otherRetailer', () => ({
      body: { name: 'Nightly export', scopes: ['read'] },
    })),
  },
  {
    limit: 'requestAccess',
    allowed: 20,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'directory.request',
    failsWith: 404,
    make: by('ownRetailer', 'otherRetailer', () => ({
      params: { card: 'a'.repeat(43) },
      body: { storeName: 'Corner Shop' },
    })),
  },
  {
    limit: 'createFeedAddress',
    allowed: 120,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'feedAddresses.create',
    make: by('ownRetailer', 'owningSupplier', ({ retailer: { id } }) => ({ params: { id } })),
  },
  {
    limit: 'createDestination',
    allowed: 60,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'destinations.create',
    // A retailer has at most five at a time.
    isOneAtATime: true,
    make: by('ownRetailer', 'owningSupplier', async ({ testApp, retailer: { id } }) => {
      await testApp.deps.db.deleteFrom('destinations').execute()
      return { params: { id }, body: newDestination }
    }),
  },
  {
    limit: 'tryDestination',
    allowed: 30,
    retryAfterSeconds: 600,
    procedure: 'destinations.sendNow',
    // There is none.
    failsWith: 404,
    make: by('ownRetailer', 'otherSupplier', async (world, count) => {
      const { testApp, retailer, otherSupplier } = world
      const one = { ...otherSupplier, maxRetailers: 1_000 }
      const of = count === 'other' ? await createLinkedRetailer(testApp.deps, one) : retailer
      return { params: { id: of.id, destinationId: 1 } }
    }),
  },
  {
    limit: 'createUploadLink',
    allowed: 120,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'uploadLinks.create',
    make: by('owningSupplier', 'administrator', ({ connectionId: id }) => ({ params: { id } })),
  },
  {
    limit: 'createMailInbox',
    allowed: 30,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'mailInboxes.create',
    make: by('owningSupplier', 'administrator', ({ connectionId: id }) => ({ params: { id } })),
  },
  {
    limit: 'confirmAddress',
    allowed: 5,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'alerts.setAddress',
    make: confirmed(
      by('owningSupplier', 'otherSupplier', (_, count) => ({
        body: { address: `acme-${count}@example.com` },
      })),
    ),
  },
  {
    limit: 'confirmFromClient',
    allowed: 20,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'alerts.setAddress',
    make: confirmed(
      byNewSuppliers((count) => [
        count === 'other' ? '203.0.113.2' : '203.0.113.1',
        `acme@shop-${count}.example`,
      ]),
    ),
  },
  {
    limit: 'confirmAtDomain',
    allowed: 300,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'alerts.setAddress',
    make: confirmed(
      byNewSuppliers((count) =>
        count === 'other'
          ? ['203.0.113.2', 'v@example.org']
          : [`198.51.100.${count % 250}`, `v${count}@mail-${count}.example.com`],
      ),
    ),
  },
  {
    limit: 'changeAccess',
    allowed: 300,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'connections.update',
    make: by('owningSupplier', 'administrator', ({ connectionId: id }, count) => ({
      body: { name: `Catalogue ${count}` },
      params: { id },
    })),
  },
  {
    limit: 'createWebhook',
    allowed: 60,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'webhooks.create',
    make: by('owningSupplier', 'otherSupplier', async ({ testApp }) => {
      // One user has at most ten at a time.
      await testApp.deps.db.deleteFrom('webhooks').execute()
      return { body: newWebhook }
    }),
  },
  {
    limit: 'sendSystemTest',
    allowed: 30,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'system.sendTest',
    make: async ({ testApp, clients }, count) => ({
      client:
        count === 'other'
          ? await testApp.signIn(await createAdmin(testApp.deps))
          : clients.administrator,
      body: { to: 'files' },
    }),
  },
  {
    limit: 'sendByHand',
    allowed: 30,
    retryAfterSeconds: 60,
    procedure: 'webhooks.sendTest',
    make: by('owningSupplier', 'otherSupplier', async (world, count) => {
      const { id } = count === 'other' ? world.otherSupplier : world.supplier
      return { body: { id: await putWebhook(world.testApp.deps, id) } }
    }),
  },
  {
    limit: 'testBackup',
    allowed: 30,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'backups.test',
    failsWith: 404,
    make: async ({ testApp, clients }, count) => ({
      client:
        count === 'other'
          ? await testApp.signIn(await createAdmin(testApp.deps))
          : clients.administrator,
      params: { fileName: 'unknown.tar' },
    }),
  },
  {
    limit: 'restoreBackup',
    allowed: 10,
    retryAfterSeconds: HOUR_SECONDS,
    procedure: 'restores.begin',
    failsWith: 404,
    make: confirmed(async ({ testApp, clients }, count) => ({
      client:
        count === 'other'
          ? await testApp.signIn(await createAdmin(testApp.deps))
          : clients.administrator,
      body: { fileName: 'unknown.tar', typedName: 'unknown' },
    })),
  },
]
