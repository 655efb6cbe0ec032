import { createSupplierUser, PASSWORD } from '../fixtures/factories'
import { limitedAlertCalls } from './limited-alert-calls'
import type { LimitedCall } from './limited-call'

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS

export const account = (username: string) => ({
  username,
  password: PASSWORD,
  companyName: 'New',
  contactEmail: 'new@example.com',
})

const shop = {
  username: 'shop',
  contactEmail: 'shop@example.com',
  storeName: 'Shop',
  categories: [],
}

const takenList = (username: string) => ({
  retailers: [{ ...shop, username, password: PASSWORD }],
})

const right = (username: string) => ({ username, password: PASSWORD })
export const guess = (username: string) => ({ username, password: 'wrong' })
const change = { currentPassword: 'wrong', newPassword: 'another horse' }

/** A call for each limit that is counted in the database, in the order of the limits. */
export const limitedCalls: readonly LimitedCall[] = [
  {
    limit: 'loginFromAddress',
    allowed: 5,
    retryAfterSeconds: 1,
    route: 'POST /api/login',
    procedure: 'session.login',
    status: 401,
    make: ({ testApp, supplier }) => ({
      client: testApp.client(),
      body: guess(supplier.username),
    }),
    makeOther: ({ testApp, otherSupplier }) => ({
      client: testApp.client(),
      body: guess(otherSupplier.username),
    }),
  },
  {
    limit: 'loginToAccount',
    allowed: 20,
    retryAfterSeconds: 15 * MINUTE_SECONDS,
    route: 'POST /api/login',
    procedure: 'session.login',
    status: 401,
    make: ({ testApp, supplier }, count) => ({
      client: testApp.client(undefined, `203.0.113.${count}`),
      body: guess(supplier.username),
    }),
    // The supplier itself, from an address that it has signed in from before.
    makeOther: ({ testApp, supplier }) => ({
      client: testApp.client(),
      body: guess(supplier.username),
    }),
  },
  {
    limit: 'loginAtAddress',
    allowed: 60,
    retryAfterSeconds: MINUTE_SECONDS,
    route: 'POST /api/login',
    procedure: 'session.login',
    status: 401,
    make: ({ testApp }, count) => ({ client: testApp.client(), body: guess(`guess-${count}`) }),
    makeOther: ({ testApp }) => ({
      client: testApp.client(undefined, '2001:db8::1'),
      body: guess('guess-1'),
    }),
  },
  {
    limit: 'signIn',
    // The supplier has signed in once already.
    allowed: 29,
    retryAfterSeconds: MINUTE_SECONDS,
    route: 'POST /api/login',
    procedure: 'session.login',
    status: 200,
    make: ({ testApp, supplier }, count) => ({
      client: testApp.client(undefined, `203.0.113.${count}`),
      body: right(supplier.username),
    }),
    makeOther: ({ testApp, otherSupplier }) => ({
      client: testApp.client(),
      body: right(otherSupplier.username),
    }),
  },
  {
    limit: 'signInAtAddress',
    allowed: 300,
    retryAfterSeconds: MINUTE_SECONDS,
    route: 'POST /api/login',
    procedure: 'session.login',
    status: 200,
    make: async ({ testApp }) => ({
      client: testApp.client(undefined, '203.0.113.1'),
      body: right((await createSupplierUser(testApp.deps)).username),
    }),
    makeOther: ({ testApp, supplier }) => ({
      client: testApp.client(),
      body: right(supplier.username),
    }),
  },
  {
    limit: 'registerSupplier',
    allowed: 10,
    retryAfterSeconds: HOUR_SECONDS,
    route: 'POST /api/register',
    procedure: 'session.register',
    status: 201,
    make: ({ testApp }, count) => ({ client: testApp.client(), body: account(`new-${count}`) }),
    makeOther: ({ testApp }) => ({
      client: testApp.client(undefined, '2001:db8::1'),
      body: account('somebody'),
    }),
  },
  {
    limit: 'registerRetailer',
    allowed: 120,
    retryAfterSeconds: HOUR_SECONDS,
    route: 'POST /api/register',
    procedure: 'session.register',
    // Registers the same login each time; the first call creates it.
    status: 201,
    make: ({ clients }) => ({
      client: clients.owningSupplier,
      body: { username: 'shop', password: PASSWORD, role: 'RETAILER' },
    }),
    makeOther: ({ clients }) => ({
      client: clients.otherSupplier,
      body: { username: 'other-shop', password: PASSWORD, role: 'RETAILER' },
    }),
  },
  {
    limit: 'checkRetailers',
    allowed: 30,
    retryAfterSeconds: HOUR_SECONDS,
    route: null,
    procedure: 'suppliers.checkRetailers',
    status: 200,
    make: ({ clients }) => ({ client: clients.owningSupplier, body: { retailers: [shop] } }),
    makeOther: ({ clients }) => ({ client: clients.otherSupplier, body: { retailers: [shop] } }),
  },
  {
    limit: 'addRetailers',
    allowed: 10,
    retryAfterSeconds: HOUR_SECONDS,
    route: null,
    procedure: 'suppliers.addRetailers',
    // The username is taken: refused lists count as well.
    status: 409,
    make: ({ clients, retailer }) => ({
      client: clients.owningSupplier,
      body: takenList(retailer.user.username),
    }),
    makeOther: ({ clients, retailer }) => ({
      client: clients.otherSupplier,
      body: takenList(retailer.user.username),
    }),
  },
  {
    limit: 'changePassword',
    allowed: 5,
    retryAfterSeconds: HOUR_SECONDS,
    route: 'POST /api/admin/reset-password',
    procedure: 'session.changePassword',
    status: 400,
    make: ({ clients }) => ({ client: clients.ownRetailer, body: change }),
    makeOther: ({ clients }) => ({ client: clients.otherRetailer, body: change }),
  },
  {
    limit: 'resetPassword',
    allowed: 30,
    retryAfterSeconds: MINUTE_SECONDS,
    route: 'PATCH /api/users/:userId/reset-password',
    procedure: 'users.resetPassword',
    status: 200,
    make: ({ clients, retailer }) => ({
      client: clients.owningSupplier,
      params: { userId: retailer.user.id },
      body: { newPassword: 'another horse' },
    }),
    makeOther: ({ clients, retailer }) => ({
      client: clients.administrator,
      params: { userId: retailer.user.id },
      body: { newPassword: 'another horse' },
    }),
  },
  {
    limit: 'previewSource',
    allowed: 30,
    isOneAtATime: true,
    retryAfterSeconds: MINUTE_SECONDS,
    route: 'POST /api/connections/preview',
    procedure: 'connections.previewSource',
    status: 200,
    make: ({ clients, sourceUrl }) => ({
      client: clients.owningSupplier,
      body: { url: sourceUrl },
    }),
    makeOther: ({ clients, sourceUrl }) => ({
      client: clients.otherSupplier,
      body: { url: sourceUrl },
    }),
  },
  {
    limit: 'syncNow',
    allowed: 6,
    retryAfterSeconds: MINUTE_SECONDS,
    route: 'POST /api/connections/:id/sync',
    procedure: 'connections.sync',
    status: 202,
    make: ({ clients, connectionId: id }) => ({
      client: clients.owningSupplier,
      body: {},
      params: { id },
    }),
    makeOther: ({ clients, connectionId: id }) => ({
      client: clients.administrator,
      body: {},
      params: { id },
    }),
  },
  {
    limit: 'createFeedAddress',
    allowed: 120,
    retryAfterSeconds: HOUR_SECONDS,
    route: 'POST /api/retailers/:id/feed-addresses',
    procedure: 'feedAddresses.create',
    status: 201,
    make: ({ clients, retailer: { id } }) => ({
      client: clients.ownRetailer,
      body: {},
      params: { id },
    }),
    makeOther: ({ clients, retailer: { id } }) => ({
      client: clients.owningSupplier,
      body: {},
      params: { id },
    }),
  },
  ...limitedAlertCalls,
]
