import { maskAddress } from '../../../../shared/masked-address'
import { updateConnectionInput } from '../../../../shared/schemas/connection'
import type { ConnectionRow, RetailerRow } from '../../../db/schema'
import type { StoredConfig } from '../../../db/stored-json'
import type { UserRecord } from '../accounts/users.queries'
import { hidden, type AuditedState } from './audited-changes'

/** What the audit log records of a user. */
export function toAuditedUser(user: UserRecord): AuditedState {
  const { username, role, isActive, companyName, contactEmail, maxRetailers } = user
  const { publicEmail, publicPhone, publicWebsite } = user
  return {
    username,
    role,
    isActive,
    companyName,
    contactEmail,
    maxRetailers,
    publicEmail,
    publicPhone,
    publicWebsite,
  }
}

/** The settings of a connection that are stored as they are, in columns of the same names. */
const PLAIN_SETTINGS = updateConnectionInput
  .omit({ id: true, config: true, syncFrequency: true })
  .keyof().options

type AuditedConnection = Pick<
  ConnectionRow,
  (typeof PLAIN_SETTINGS)[number] | 'config' | 'syncFrequencyMinutes' | 'columnPolicy' | 'guard'
>

/** What the audit log records of a connection: all that its supplier decides. */
export function toAuditedConnection(row: AuditedConnection): AuditedState {
  return {
    ...Object.fromEntries(PLAIN_SETTINGS.map((name) => [name, row[name]])),
    ...toAuditedSource(row.config),
    syncFrequency: row.syncFrequencyMinutes,
    columns: row.columnPolicy,
    guard: row.guard,
  }
}

/** Any part of an address may be a key, so only its origin is told, and that it has changed. */
function toAuditedSource({ url, sealedUrl, auth }: StoredConfig): AuditedState {
  return {
    url: hidden([url, sealedUrl], maskAddress(url)),
    access: auth?.type,
    accessName: auth && 'username' in auth ? auth.username : auth && 'name' in auth && auth.name,
    secret: hidden(auth?.sealed),
  }
}

type AuditedRetailer = Pick<
  RetailerRow,
  | 'storeName'
  | 'storeUrl'
  | 'connectionType'
  | 'fileFormat'
  | 'syncFrequencyMinutes'
  | 'isAllProducts'
  | 'categories'
  | 'profile'
>

export function toAuditedRetailer(row: AuditedRetailer): AuditedState {
  return {
    storeName: row.storeName,
    storeUrl: row.storeUrl,
    connectionType: row.connectionType,
    fileFormat: row.fileFormat,
    syncFrequency: row.syncFrequencyMinutes,
    allProducts: row.isAllProducts,
    categories: row.categories,
    profile: row.profile,
  }
}
