import { ROLES, type CallArea } from '../../shared/constants'
import type { Access } from '../trpc/init'
import { apiRoutes, type AddressOf, type ApiAddress } from './api-routes'
import type { ApiRoute, ContentRoute, ListRoute, UploadRoute } from './define-routes'
import type { FeedAddressPath } from './feed-routes'
import { rolesOf } from './procedures'
import type { UploadPath } from './upload-routes'

const ANYONE = 'anyone'
const SIGNED_IN = ROLES
const ADMINISTRATORS = ['SUPER_ADMIN'] as const
const SUPPLIERS = ['SUPPLIER', 'SUPER_ADMIN'] as const

type DescribedAddress =
  | AddressOf<ListRoute | ContentRoute | UploadRoute>
  | FeedAddressPath
  | UploadPath

/** The roles of routes without a procedure. All files of the built client share two rows. */
export const ownRoles = {
  // Refuses callers without a session, to whom its procedure returns null.
  'GET /api/user': SIGNED_IN,
  'GET /api/auth/google/start': ANYONE,
  'GET /api/auth/google/callback': ANYONE,
  'GET /api/suppliers': ADMINISTRATORS,
  'GET /api/suppliers.csv': ADMINISTRATORS,
  'GET /api/retailers': SIGNED_IN,
  'GET /api/retailers.csv': SUPPLIERS,
  'GET /api/retailers/:id/files/:fileName': SIGNED_IN,
  'GET /api/retailers/:id/dispatches.csv': SIGNED_IN,
  'GET /api/merged-file/dispatches.csv': ['RETAILER'],
  'GET /api/merged-file/download': ['RETAILER'],
  'GET /api/merged-file/unmatched.csv': ['RETAILER'],
  'GET /api/merged-file/matching.csv': ['RETAILER'],
  'PUT /api/merged-file/matching-file': ['RETAILER'],
  'GET /api/connections': SUPPLIERS,
  'GET /api/connections/:id/files/:fileName': SUPPLIERS,
  'GET /api/connections/:id/files/:fileName/changes-from/:olderFileName': SUPPLIERS,
  'PUT /api/connections/:id/file': SUPPLIERS,
  'POST /api/connections/preview-file': SUPPLIERS,
  'GET /api/admin/backup-files/:fileName': ADMINISTRATORS,
  'GET /api/admin/audit.csv': ADMINISTRATORS,
  'GET /api/activity.csv': ['SUPPLIER'],
  'GET /api/account/data.json': SIGNED_IN,
  'GET /api/account/data.csv': SIGNED_IN,
  'GET /api/openapi.json': ANYONE,
  // Whoever knows the token.
  'GET /feeds/:token/inventory.csv': ANYONE,
  'GET /feeds/:token/inventory.txt': ANYONE,
  'GET /feeds/:token/products.csv': ANYONE,
  'GET /feeds/:token/inventory.xlsx': ANYONE,
  'GET /feeds/:token/inventory.parquet': ANYONE,
  'GET /files/:token': ANYONE,
  'PUT /upload/:token': ANYONE,
  'POST /upload/:token': ANYONE,
  'PUT /upload/:token/:name': ANYONE,
  'GET /upload/:token': ANYONE,
  // Whoever knows the secret of the installation.
  'POST /inbox/mail': ANYONE,
  // The form of the page, as POST /api/login.
  'POST /auth': ANYONE,
  'GET /auth': ANYONE,
  'GET /unsubscribe/:token': ANYONE,
  'POST /unsubscribe/:token': ANYONE,
  'GET /healthz': ANYONE,
  'GET /healthz/scheduler': ANYONE,
  'GET /readyz': ANYONE,
  // Each procedure states its own roles.
  'ANY /trpc/:path': ANYONE,
  'GET /': ANYONE,
  'GET /*': ANYONE,
  'GET /:file': ANYONE,
  'GET /assets/:file': ANYONE,
} as const satisfies Record<DescribedAddress, Access> & Record<string, Access>

type OwnAddress = keyof typeof ownRoles

/** A route without a procedure that is not for anyone: `requireCaller` enforces its roles. The current user has one. */
export type GuardedAddress = Exclude<
  {
    [Address in OwnAddress]: (typeof ownRoles)[Address] extends typeof ANYONE ? never : Address
  }[OwnAddress],
  'GET /api/user'
>

/** The areas of those routes: which people of a company may call them. */
export const ownAreas: Readonly<Record<GuardedAddress, CallArea>> = {
  'GET /api/suppliers': 'look',
  'GET /api/suppliers.csv': 'look',
  'GET /api/retailers': 'look',
  'GET /api/retailers.csv': 'look',
  'GET /api/retailers/:id/files/:fileName': 'files',
  'GET /api/retailers/:id/dispatches.csv': 'look',
  'GET /api/merged-file/dispatches.csv': 'look',
  'GET /api/merged-file/download': 'files',
  'GET /api/merged-file/unmatched.csv': 'files',
  'GET /api/merged-file/matching.csv': 'files',
  'PUT /api/merged-file/matching-file': 'addresses',
  'GET /api/connections': 'look',
  'GET /api/connections/:id/files/:fileName': 'files',
  'GET /api/connections/:id/files/:fileName/changes-from/:olderFileName': 'files',
  'PUT /api/connections/:id/file': 'manage',
  'POST /api/connections/preview-file': 'manage',
  'GET /api/admin/backup-files/:fileName': 'files',
  'GET /api/admin/audit.csv': 'look',
  'GET /api/activity.csv': 'look',
  'GET /api/account/data.json': 'own',
  'GET /api/account/data.csv': 'own',
}

/** Whether a route is for people, too, who first have to turn on a second factor: what is stored about them is. */
export const isWithoutFactor = (address: GuardedAddress): boolean =>
  address.startsWith('GET /api/account/')

export type RouteAddress = ApiAddress | OwnAddress

const rolesOfProcedures = Object.entries<ApiRoute>(apiRoutes).flatMap(([address, route]) =>
  'procedure' in route ? [[address, rolesOf(route.procedure)] as const] : [],
)

/** The roles of every route of the web server. */
export const routeRoles: Readonly<Record<RouteAddress, Access>> = {
  ...(Object.fromEntries(rolesOfProcedures) as Record<ApiAddress, Access>),
  ...ownRoles,
}
