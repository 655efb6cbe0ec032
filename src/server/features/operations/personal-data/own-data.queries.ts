import type { ExpressionBuilder } from 'kysely'

import type { Db } from '../../../db/open'
import { inPages } from '../../../db/queries-kit/page'
import type { Database } from '../../../db/schema'

const PAGE_SIZE = 200

/** Finds the row of a person, without what signs in. */
export function findOwnRow(db: Db, id: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'role', 'isActive', 'memberOf', 'memberRole', 'displayName'])
    .select(['photoUrl', 'companyName', 'contactEmail', 'publicEmail', 'publicPhone'])
    .select(['publicWebsite', 'maxRetailers', 'googleIssuer', 'googleUid', 'createdAt'])
    .select(['deletionAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

export function listOwnSessions(db: Db, userId: number) {
  return db
    .selectFrom('sessions')
    .select(['createdAt', 'touchedAt', 'expiresAt', 'program', 'address', 'confirmedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute()
}

export function listOwnFactors(db: Db, userId: number) {
  return db
    .selectFrom('secondFactors')
    .select('createdAt')
    .select(({ selectFrom, fn }) =>
      selectFrom('recoveryCodes')
        .select(fn.countAll<number>().as('count'))
        .whereRef('recoveryCodes.userId', '=', 'secondFactors.userId')
        .as('recoveryCodesLeft'),
    )
    .where('userId', '=', userId)
    .execute()
}

export function listOwnPasskeys(db: Db, userId: number) {
  return db
    .selectFrom('passkeys')
    .select(['name', 'host', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
}

/** Lists the keys of a person, without what gives access. */
export function listOwnApiKeys(db: Db, userId: number) {
  return db
    .selectFrom('apiKeys')
    .select(['name', 'tokenEnd', 'scopes', 'connectionId', 'retailerId', 'networks', 'createdAt'])
    .select(['expiresAt', 'lastUsedAt', 'program', 'address'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
}

export function listOwnAddresses(db: Db, userId: number) {
  return db
    .selectFrom('knownAddresses')
    .select(['address', 'seenAt'])
    .where('userId', '=', userId)
    .orderBy('seenAt')
    .execute()
}

export function listOwnSignInPlaces(db: Db, userId: number) {
  return db
    .selectFrom('signInPlaces')
    .select(['program', 'network', 'seenAt'])
    .where('userId', '=', userId)
    .orderBy('seenAt')
    .execute()
}

export function listOwnMailAddresses(db: Db, userId: number) {
  return db
    .selectFrom('mailAddresses')
    .select(['address', 'pendingAddress'])
    .where('userId', '=', userId)
    .execute()
}

export function listOwnAlertChoices(db: Db, userId: number) {
  return db
    .selectFrom('alertChoices')
    .select(['kind', 'way', 'isWanted'])
    .where('userId', '=', userId)
    .orderBy('kind')
    .orderBy('way')
    .execute()
}

export function listOwnDigests(db: Db, userId: number) {
  return db
    .selectFrom('digests')
    .select(['period', 'weekday', 'timeZone', 'pricePercent', 'categories', 'toldAt'])
    .where('userId', '=', userId)
    .execute()
}

/** Yields what a user was told of, in pages. */
export function eachOwnNotification(db: Db, userId: number) {
  return inPages(PAGE_SIZE, (after) =>
    db
      .selectFrom('notifications')
      .innerJoin('events', 'events.id', 'notifications.eventId')
      .select(['notifications.id', 'notifications.readAt', 'events.kind', 'events.details'])
      .select('events.createdAt')
      .where('notifications.userId', '=', userId)
      .where('notifications.id', '>', after)
      .orderBy('notifications.id')
      .limit(PAGE_SIZE)
      .execute(),
  )
}

/** Yields the audit entries of what a person did, in pages. */
export function eachOwnEntry(db: Db, actorId: number) {
  return inPages(PAGE_SIZE, (after) =>
    db
      .selectFrom('auditEntries')
      .select(['id', 'at', 'action', 'subjectName', 'changes', 'address', 'count', 'firstAt'])
      .where('actorId', '=', actorId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_SIZE)
      .execute(),
  )
}

export function listOwnWebhooks(db: Db, userId: number) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'url', 'kinds', 'isActive', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
}

export function listOwnInvitations(db: Db, companyId: number) {
  return db
    .selectFrom('invitations')
    .select(['kind', 'email', 'createdAt', 'expiresAt', 'acceptedAt', 'withdrawnAt'])
    .where('companyId', '=', companyId)
    .orderBy('id')
    .execute()
}

export function listOwnGroups(db: Db, supplierId: number) {
  return db
    .selectFrom('retailerGroups')
    .select(['id', 'name', 'isForNewcomers', 'syncFrequencyMinutes as syncFrequency'])
    .select(['isAllProducts as allProducts', 'categories', 'profile', 'priceRules', 'createdAt'])
    .where('supplierId', '=', supplierId)
    .orderBy('id')
    .execute()
}

export function listOwnCard(db: Db, supplierId: number) {
  return db
    .selectFrom('supplierCards')
    .select(['isPublished', 'name', 'description', 'categories', 'logo', 'updatedAt'])
    .where('supplierId', '=', supplierId)
    .execute()
}

/** The requests that a retailer company has made, or a supplier has got. */
export function listOwnRequests(db: Db, of: { supplierId: number } | { userId: number }) {
  return db
    .selectFrom('accessRequests')
    .select(['storeName', 'storeUrl', 'message', 'status', 'createdAt', 'answeredAt'])
    .where(({ eb }) =>
      'supplierId' in of ? eb('supplierId', '=', of.supplierId) : eb('userId', '=', of.userId),
    )
    .orderBy('id')
    .execute()
}

/** Lists the newest downloads of retailers, of which each has a few. */
export function listOwnDownloads(db: Db, retailerIds: readonly number[]) {
  return db
    .selectFrom('recentDownloads')
    .select(['retailerId', 'newestDownloads'])
    .where('retailerId', 'in', retailerIds)
    .orderBy('retailerId')
    .execute()
}

/** Lists by which addresses retailers read, without what gives access. */
export function listOwnFeedAddresses(db: Db, retailerIds: readonly number[]) {
  return db
    .selectFrom('feedAddresses')
    .select(['retailerId', 'tokenEnd', 'createdAt', 'expiresAt', 'lastUsedAt', 'lastClient'])
    .select(['passwordEnd', 'networks', 'validUntil', 'expiryToldAt'])
    .select(['refusedAt', 'refusal', 'refusedClient', 'refusedFrom'])
    .where('retailerId', 'in', retailerIds)
    .orderBy('id')
    .execute()
}

/** What a company has made of its files of several suppliers, without what gives access. */
export async function listOwnMergedFiles(db: Db, userId: number) {
  const ofUser = db.selectFrom('mergedFiles').select('id').where('userId', '=', userId)
  const files = await db
    .selectFrom('mergedFiles')
    .select([
      'profile',
      'mergedRules',
      'matchingRows',
      'madeAt',
      'failure',
      'readCount',
      'timeZone',
      'createdAt',
    ])
    .where('userId', '=', userId)
    .execute()
  const parts = await db
    .selectFrom('mergedParts')
    .select(['retailerId', 'place', 'prefix', 'currency', 'costColumn', 'rowCount', 'failure'])
    .where('mergedFileId', 'in', ofUser)
    .orderBy('place')
    .execute()
  const addresses = await db
    .selectFrom('mergedAddresses')
    .select(['tokenEnd', 'createdAt', 'expiresAt', 'lastUsedAt', 'lastClient'])
    .where('mergedFileId', 'in', ofUser)
    .orderBy('id')
    .execute()
  return { files, parts, addresses }
}

/** Retailers, or the merged file of a company. */
export type OwnFiles = { retailerIds: readonly number[] } | { mergedOf: number }

const isOwnFile =
  (of: OwnFiles) =>
  ({ eb, selectFrom }: ExpressionBuilder<Database, 'destinations' | 'dispatches'>) =>
    'retailerIds' in of
      ? eb('retailerId', 'in', of.retailerIds)
      : eb(
          'mergedFileId',
          'in',
          selectFrom('mergedFiles').select('id').where('userId', '=', of.mergedOf),
        )

/** Lists where files are sent to. */
export function listOwnDestinations(db: Db, of: OwnFiles) {
  return db
    .selectFrom('destinations')
    .select(['retailerId', 'name', 'kind', 'config', 'method', 'recipients', 'fileName'])
    .select(['profile', 'times', 'onlyIfChanged', 'isActive', 'pausedAt', 'pausedReason'])
    .select(['sentAt', 'createdAt'])
    .where(isOwnFile(of))
    .orderBy('id')
    .execute()
}

/** Lists what was sent of files. */
export function listOwnDispatches(db: Db, of: OwnFiles) {
  return db
    .selectFrom('dispatches')
    .select(['retailerId', 'destinationName', 'kind', 'versionName', 'fileName', 'sha256'])
    .select(['sizeBytes', 'rowCount', 'status', 'attempts', 'isRepeat', 'answer'])
    .select(['createdAt', 'startedAt', 'endedAt', 'nextAttemptAt'])
    .where(isOwnFile(of))
    .orderBy('id')
    .execute()
}

/** Lists by which logins files are put or fetched over SFTP, without what gives access. */
export function listOwnSftpLogins(
  db: Db,
  column: 'connectionId' | 'retailerId',
  ids: readonly number[],
) {
  return db
    .selectFrom('sftpLogins')
    .select(['connectionId', 'retailerId', 'username', 'passwordEnd', 'publicKeys', 'createdAt'])
    .select(['lastUsedAt', 'lastClient'])
    .where(column, 'in', ids)
    .orderBy('id')
    .execute()
}

/** Finds the address to which a connection's files are sent by mail, without what gives access. */
export function findOwnMailInbox(db: Db, connectionId: number) {
  return db
    .selectFrom('mailInboxes')
    .select(['allowedSenders', 'createdAt', 'lastMailAt'])
    .where('connectionId', '=', connectionId)
    .executeTakeFirst()
}

/** Lists the mails that came there. */
export function listOwnMails(db: Db, connectionId: number) {
  return db
    .selectFrom('mails')
    .select([
      'sender',
      'subject',
      'fileName',
      'sizeBytes',
      'state',
      'reason',
      'receivedAt',
      'endedAt',
    ])
    .where('connectionId', '=', connectionId)
    .orderBy('id')
    .execute()
}

/** Finds of which time and how large the history of a connection's items is. */
export function findOwnItemHistory(db: Db, connectionId: number) {
  return db
    .selectFrom('itemHistories')
    .select(['beganAt', 'versionAt', 'keyColumn', 'columnEras'])
    .select(({ selectFrom }) =>
      selectFrom('historyFiles')
        .select(({ fn }) => fn.sum<number>('historyFiles.sizeBytes').as('bytes'))
        .whereRef('historyFiles.connectionId', '=', 'itemHistories.connectionId')
        .as('sizeBytes'),
    )
    .where('connectionId', '=', connectionId)
    .executeTakeFirst()
}

/** Yields the versions of a connection, in pages. */
export function eachOwnVersion(db: Db, connectionId: number) {
  return inPages(PAGE_SIZE, (after) =>
    db
      .selectFrom('versions')
      .select(['id', 'fileName', 'sizeBytes', 'rowCount', 'status', 'createdAt', 'publishedAt'])
      .where('connectionId', '=', connectionId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_SIZE)
      .execute(),
  )
}
