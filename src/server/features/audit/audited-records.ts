import type { ConnectionRow, RetailerRow } from '../../db/schema'
import type { StoredConfig } from '../../db/stored-json'
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

type AuditedConnection = Pick<
  ConnectionRow,
  | 'name'
  | 'type'
  | 'config'
  | 'fileFormat'
  | 'syncFrequencyMinutes'
  | 'isActive'
  | 'categoryReading'
  | 'reading'
  | 'columnPolicy'
  | 'guard'
>

export function toAuditedConnection(row: AuditedConnection): AuditedState {
  return {
    name: row.name,
    type: row.type,
    ...toAuditedSource(row.config),
    fileFormat: row.fileFormat,
    syncFrequency: row.syncFrequencyMinutes,
    isActive: row.isActive,
    categoryReading: row.categoryReading,
    reading: row.reading,
    columns: row.columnPolicy,
    guard: row.guard,
  }
}

/** The query of an address often has a key, so only that it has changed is told. */
function toAuditedSource({ url, auth }: StoredConfig): AuditedState {
  const { origin, pathname, search } = new URL(url)
  return {
    url: origin + pathname,
    urlQuery: hidden(search || null),
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
