import type { AuditVerb } from '../../../../shared/audit-actions'
import { maskAddress } from '../../../../shared/masked-address'
import { updateConnectionInput } from '../../../../shared/schemas/connection'
import type { Transfer } from '../../../../shared/schemas/transfer'
import type { WriteTransaction } from '../../../db/open'
import type { ConnectionRow, RetailerRow } from '../../../db/schema'
import type { StoredAuth, StoredConfig, StoredOverlay } from '../../../db/stored-json'
import type { Actor } from '../../../domain/actor'
import type { UserRecord } from '../accounts/users.queries'
import { hidden, type AuditedState } from './audited-changes'
import { recordAudit, type AuditDeps } from './record-audit'

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
  .omit({ id: true, config: true, syncFrequency: true, columnRoles: true, overlay: true })
  .keyof().options

type AuditedConnection = Pick<
  ConnectionRow,
  | (typeof PLAIN_SETTINGS)[number]
  | 'config'
  | 'overlay'
  | 'syncFrequencyMinutes'
  | 'columnPolicy'
  | 'guard'
>

/** What the audit log records of a connection: all that its supplier decides. */
export function toAuditedConnection(row: AuditedConnection): AuditedState {
  return {
    ...Object.fromEntries(PLAIN_SETTINGS.map((name) => [name, row[name]])),
    ...toAuditedSource(row.config),
    ...(row.overlay && { overlay: toAuditedOverlay(row.overlay) }),
    syncFrequency: row.syncFrequencyMinutes,
    columns: row.columnPolicy,
    guard: row.guard,
  }
}

/** Any part of an address may be a key, so only its origin is told, and that it has changed. */
export function toAuditedSource({ url, sealedUrl, auth, transfer }: StoredConfig): AuditedState {
  return {
    url: url === '' ? null : hidden([url, sealedUrl], maskAddress(url)),
    access: auth?.type,
    accessName: auth && nameOfAccess(auth),
    ...(auth?.type === 's3' && { region: auth.region, endpoint: auth.endpoint }),
    secret: hidden(auth?.sealed),
    ...(transfer && toAuditedTransfer(transfer)),
  }
}

const toAuditedTransfer = ({ hostKeys, usesTls, allowsOld, afterReading }: Transfer) => ({
  serverKeys: hostKeys,
  usesTls,
  allowsOld,
  afterReading: afterReading.action,
  folder: afterReading.action === 'move' ? afterReading.folder : undefined,
})

function nameOfAccess(auth: StoredAuth): string | undefined {
  if (auth.type === 'basic' || auth.type === 'ssh-key') return auth.username
  if (auth.type === 's3') return auth.accessKeyId
  return auth.type === 'header' ? auth.name : undefined
}

function toAuditedOverlay(overlay: StoredOverlay): AuditedState {
  const { reading, onlyInFile, onlyInOverlay } = overlay
  return { ...toAuditedSource(overlay), reading, onlyInFile, onlyInOverlay }
}

/** A retailer, and how its group is called: the settings are those that hold. */
type AuditedRetailer = RetailerRow & { groupName: string | null }

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
    timeZone: row.timeZone,
    ...(row.groupName !== null && { group: row.groupName, ownSettings: listOwnSettings(row) }),
  }
}

const listOwnSettings = (row: RetailerRow): string[] => [
  ...(row.hasOwnVisibility ? ['visibilitySettings'] : []),
  ...(row.hasOwnFrequency ? ['syncFrequency'] : []),
  ...(row.hasOwnFormat ? ['profile'] : []),
  ...(row.hasOwnPrices ? ['priceRules'] : []),
]

/** Records a new supplier, or what has changed of one. */
export function recordSupplierChange(
  trx: WriteTransaction,
  deps: AuditDeps,
  {
    verb,
    before,
    after,
  }: { verb: 'create' | 'update' | 'update-profile'; before?: Actor; after: Actor },
): Promise<void> {
  return recordAudit(trx, deps, {
    action: `supplier.${verb}`,
    subject: { id: after.id, name: after.companyName ?? after.username },
    supplierId: after.id,
    ...(before && { before: toAuditedUser(before) }),
    after: toAuditedUser(after),
  })
}

type ConnectionVerb = AuditVerb<'connection'>
type AuditedStates = {
  before?: AuditedState
  after?: AuditedState
  actor?: UserRecord | null
  earlierId?: number | undefined
}

/** Records what was done to a connection. */
export function recordConnectionAudit(
  trx: WriteTransaction,
  deps: AuditDeps,
  { id, name, supplierId }: ConnectionRow,
  { verb, ...states }: { verb: ConnectionVerb } & AuditedStates,
): Promise<void> {
  const subject = { id, name }
  return recordAudit(trx, deps, { action: `connection.${verb}`, subject, supplierId, ...states })
}

/** Records changed settings of a connection. */
export function recordConnectionChange(
  trx: WriteTransaction,
  deps: AuditDeps,
  { verb, before, after }: { verb: ConnectionVerb; before: ConnectionRow; after: ConnectionRow },
): Promise<void> {
  return recordConnectionAudit(trx, deps, after, {
    verb,
    before: toAuditedConnection(before),
    after: toAuditedConnection(after),
  })
}

type NamedRetailer = Pick<RetailerRow, 'id' | 'storeName' | 'supplierId'> & { username: string }

/** How the audit log names a retailer, and the supplier who may read of it. */
export const toAuditedSubject = ({ id, storeName, username, supplierId }: NamedRetailer) => ({
  subject: { id, name: storeName || username },
  supplierId,
})

/** Records what was done to a retailer. */
export function recordRetailerAudit(
  trx: WriteTransaction,
  deps: AuditDeps,
  retailer: NamedRetailer,
  { verb, ...states }: { verb: AuditVerb<'retailer'> } & AuditedStates,
): Promise<void> {
  return recordAudit(trx, deps, {
    action: `retailer.${verb}`,
    ...toAuditedSubject(retailer),
    ...states,
  })
}

/** Records changed settings of a retailer. */
export function recordRetailerChange<Retailer extends NamedRetailer & AuditedRetailer>(
  trx: WriteTransaction,
  deps: AuditDeps,
  before: Retailer,
  after: Retailer,
): Promise<void> {
  return recordRetailerAudit(trx, deps, after, {
    verb: 'update',
    before: { ...toAuditedRetailer(before), priceRules: before.priceRules },
    after: { ...toAuditedRetailer(after), priceRules: after.priceRules },
  })
}
