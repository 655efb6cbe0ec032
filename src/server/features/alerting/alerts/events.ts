import type { AlertKind } from '../../../../shared/alerts'
import type { EventDetails } from '../../../../shared/schemas/alert'
import type { WriteTransaction } from '../../../db/open'
import type { ConnectionRow, RetailerRow, WebhookRow } from '../../../db/schema'
import { findUser, type UserRecord } from '../../people/accounts/users.queries'
import { insertEvent } from './events.queries'

/** What an event or a problem is about. */
export type Subject = {
  /** Identifies it among the problems of a kind. */
  key: string
  supplierId: number | null
  connectionId: number | null
  retailerId: number | null
  /** Its names, which are told with each event. */
  names: EventDetails
}

export const THE_PRODUCT: Subject = {
  key: 'product',
  supplierId: null,
  connectionId: null,
  retailerId: null,
  names: {},
}

export function aboutBackup(backupName: string): Subject {
  return { ...THE_PRODUCT, key: `backup ${backupName}`, names: { backupName } }
}

export function aboutConnection({
  id,
  supplierId,
  name,
}: Pick<ConnectionRow, 'id' | 'supplierId' | 'name'>): Subject {
  const names = { connectionName: name }
  return { key: `connection ${id}`, supplierId, connectionId: id, retailerId: null, names }
}

export function aboutRetailer({
  id,
  supplierId,
  storeName,
}: Pick<RetailerRow, 'id' | 'supplierId' | 'storeName'>): Subject {
  const names = storeName === null ? {} : { storeName }
  return { key: `retailer ${id}`, supplierId, connectionId: null, retailerId: id, names }
}

/** Only its company is told of it: suppliers do not learn of merged files. */
export function aboutMergedFile({
  mergedFileId: id,
  userId,
}: {
  mergedFileId: number | null
  userId: number
}): Subject {
  const names = { storeName: 'Your merged file', onlyUserId: userId }
  return { key: `merged file ${id}`, supplierId: null, connectionId: null, retailerId: null, names }
}

/** Its retailers are told too. */
export function aboutSupplier({ id }: Pick<UserRecord, 'id'>): Subject {
  return { key: `supplier ${id}`, supplierId: id, connectionId: null, retailerId: null, names: {} }
}

/** Only its owner is told of it. A webhook is known by its host: its address may contain a secret. */
export function aboutWebhook(
  { id, url }: Pick<WebhookRow, 'id' | 'url'>,
  owner: Pick<UserRecord, 'id' | 'role'>,
): Subject {
  const supplierId = owner.role === 'SUPPLIER' ? owner.id : null
  const names = { webhookHost: new URL(url).host, onlyUserId: owner.id }
  return { key: `webhook ${id}`, supplierId, connectionId: null, retailerId: null, names }
}

/**
 * Records something that people are to be told of, in the transaction of the change. Workers find who
 * is told and how: see `fan-out.ts`.
 */
export async function recordEvent(
  trx: WriteTransaction,
  { supplierId, connectionId, retailerId, names }: Subject,
  event: { kind: AlertKind; now: number; details?: EventDetails | undefined },
): Promise<number> {
  const supplier = supplierId === null ? undefined : await findUser(trx, supplierId)
  const supplierName = supplier?.companyName ?? supplier?.username
  return insertEvent(trx, {
    kind: event.kind,
    supplierId,
    connectionId,
    retailerId,
    details: { ...names, ...event.details, ...(supplierName && { supplierName }) },
    createdAt: event.now,
  })
}

/** Records an event that is told to nobody but the webhook that is tried with it. */
export function recordTest(trx: WriteTransaction, now: number): Promise<number> {
  const about = { supplierId: null, connectionId: null, retailerId: null }
  return insertEvent(trx, {
    ...about,
    kind: 'test',
    details: {},
    createdAt: now,
    fannedOutAt: now,
  })
}
