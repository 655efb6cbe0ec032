import { sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'

import { engineOf } from './engine'
import { initialMigration } from './migrations/0001-initial'
import { cronJobsMigration } from './migrations/0002-cron-jobs'
import { googleSignInsMigration } from './migrations/0003-google-sign-ins'
import { limitsMigration } from './migrations/0004-limits'
import { fairSharesMigration } from './migrations/0005-fair-shares'
import { columnCountMigration } from './migrations/0007-column-count'
import { recordNamesMigration } from './migrations/0008-record-names'
import { unreadColumnsMigration } from './migrations/0009-unread-columns'
import { separatorNamesMigration } from './migrations/0010-separator-names'
import { sourceReadingMigration } from './migrations/0011-source-reading'
import { companyProfileMigration } from './migrations/0012-company-profile'
import { pullsMigration } from './migrations/0013-pulls'
import { feedAddressesMigration } from './migrations/0014-feed-addresses'
import { pullDaysMigration } from './migrations/0015-pull-days'
import { profilesMigration } from './migrations/0016-profiles'
import { compressedFilesMigration } from './migrations/0017-compressed-files'
import { safePublishMigration } from './migrations/0018-safe-publish'
import { differencesMigration } from './migrations/0019-differences'
import { alertsMigration } from './migrations/0020-alerts'
import { auditMigration } from './migrations/0021-audit'
import { goneItemsMigration } from './migrations/0022-gone-items'
import { schedulerTicksMigration } from './migrations/0023-scheduler-ticks'
import { lowerNamesMigration } from './migrations/0024-lower-names'
import { changesMigration } from './migrations/0025-changes'
import { pullDaysByDayMigration } from './migrations/0026-pull-days-by-day'
import { columnReadingsMigration } from './migrations/0027-column-readings'
import { downloadContentsMigration } from './migrations/0028-download-contents'
import { webhookHealthMigration } from './migrations/0029-webhook-health'
import { sealedAddressesMigration } from './migrations/0030-sealed-addresses'
import { maskedAuditAddressesMigration } from './migrations/0031-masked-audit-addresses'
import { fileSharesMigration } from './migrations/0032-file-shares'
import { repeatedAuditEntriesMigration } from './migrations/0033-repeated-audit-entries'
import { rememberedReadsMigration } from './migrations/0034-remembered-reads'
import { packedPullsMigration } from './migrations/0035-packed-pulls'
import { receivedFilesMigration } from './migrations/0036-received-files'
import { sentFilesMigration } from './migrations/0037-sent-files'
import { updatesMigration } from './migrations/0038-updates'
import { overlayMigration } from './migrations/0039-overlay'
import { runHoursMigration } from './migrations/0043-run-hours'
import { membersMigration } from './migrations/0044-members'
import { accountMailsMigration } from './migrations/0045-account-mails'
import { invitationsMigration } from './migrations/0046-invitations'
import { accountDeletionsMigration } from './migrations/0047-account-deletions'
import { unreadShopsMigration } from './migrations/0048-unread-shops'
import { deferrableReferencesMigration } from './migrations/0049-deferrable-references'
import { sessionsMigration } from './migrations/0050-sessions'
import { apiKeysMigration } from './migrations/0053-api-keys'
import { secondFactorsMigration } from './migrations/0056-second-factors'
import { passkeysMigration } from './migrations/0057-passkeys'
import { signInRulesMigration } from './migrations/0058-sign-in-rules'
import { feedProtectionMigration } from './migrations/0060-feed-protection'
import { commonPasswordsMigration } from './migrations/0063-common-passwords'
import { readFilesMigration } from './migrations/0064-read-files'
import { sftpLoginsMigration } from './migrations/0065-sftp-logins'
import { mailInboxesMigration } from './migrations/0066-mail-inboxes'
import { mailboxLeasesMigration } from './migrations/0067-mailbox-leases'
import { destinationsMigration } from './migrations/0068-destinations'
import { fileMailsMigration } from './migrations/0069-file-mails'
import { ownPasswordsMigration } from './migrations/0070-own-passwords'
import { digestsMigration } from './migrations/0071-digests'
import { itemHistoriesMigration } from './migrations/0072-item-histories'
import { groupsMigration } from './migrations/0073-groups'
import { directoryMigration } from './migrations/0074-directory'
import { mergedFilesMigration } from './migrations/0075-merged-files'
import { mergedDestinationsMigration } from './migrations/0076-merged-destinations'
import { cardWordsMigration } from './migrations/0077-card-words'
import { systemMigration } from './migrations/0078-system'
import { backupDrillsMigration } from './migrations/0079-backup-drills'
import { groupPricesMigration } from './migrations/0080-group-prices'
import { restoresMigration } from './migrations/0081-restores'
import { askedCopiesMigration } from './migrations/0082-asked-copies'
import { NewerDatabaseError } from './newer-database'
import type { Db } from './open'

/** In order; a name, once released, never changes. */
const migrations = {
  '0001-initial': initialMigration,
  '0002-cron-jobs': cronJobsMigration,
  '0003-google-sign-ins': googleSignInsMigration,
  '0004-limits': limitsMigration,
  '0005-fair-shares': fairSharesMigration,
  '0007-column-count': columnCountMigration,
  '0008-record-names': recordNamesMigration,
  '0009-unread-columns': unreadColumnsMigration,
  '0010-separator-names': separatorNamesMigration,
  '0011-source-reading': sourceReadingMigration,
  '0012-company-profile': companyProfileMigration,
  '0013-pulls': pullsMigration,
  '0014-feed-addresses': feedAddressesMigration,
  '0015-pull-days': pullDaysMigration,
  '0016-profiles': profilesMigration,
  '0017-compressed-files': compressedFilesMigration,
  '0018-safe-publish': safePublishMigration,
  '0019-differences': differencesMigration,
  '0020-alerts': alertsMigration,
  '0021-audit': auditMigration,
  '0022-gone-items': goneItemsMigration,
  '0023-scheduler-ticks': schedulerTicksMigration,
  '0024-lower-names': lowerNamesMigration,
  '0025-changes': changesMigration,
  '0026-pull-days-by-day': pullDaysByDayMigration,
  '0027-column-readings': columnReadingsMigration,
  '0028-download-contents': downloadContentsMigration,
  '0029-webhook-health': webhookHealthMigration,
  '0030-sealed-addresses': sealedAddressesMigration,
  '0031-masked-audit-addresses': maskedAuditAddressesMigration,
  '0032-file-shares': fileSharesMigration,
  '0033-repeated-audit-entries': repeatedAuditEntriesMigration,
  '0034-remembered-reads': rememberedReadsMigration,
  '0035-packed-pulls': packedPullsMigration,
  '0036-received-files': receivedFilesMigration,
  '0037-sent-files': sentFilesMigration,
  '0038-updates': updatesMigration,
  '0039-overlay': overlayMigration,
  '0043-run-hours': runHoursMigration,
  '0044-members': membersMigration,
  '0045-account-mails': accountMailsMigration,
  '0046-invitations': invitationsMigration,
  '0047-account-deletions': accountDeletionsMigration,
  '0048-unread-shops': unreadShopsMigration,
  '0049-deferrable-references': deferrableReferencesMigration,
  '0050-sessions': sessionsMigration,
  '0053-api-keys': apiKeysMigration,
  '0056-second-factors': secondFactorsMigration,
  '0057-passkeys': passkeysMigration,
  '0058-sign-in-rules': signInRulesMigration,
  '0060-feed-protection': feedProtectionMigration,
  '0063-common-passwords': commonPasswordsMigration,
  '0064-read-files': readFilesMigration,
  '0065-sftp-logins': sftpLoginsMigration,
  '0066-mail-inboxes': mailInboxesMigration,
  '0067-mailbox-leases': mailboxLeasesMigration,
  '0068-destinations': destinationsMigration,
  '0069-file-mails': fileMailsMigration,
  '0070-own-passwords': ownPasswordsMigration,
  '0071-digests': digestsMigration,
  '0072-item-histories': itemHistoriesMigration,
  '0073-groups': groupsMigration,
  '0074-directory': directoryMigration,
  '0075-merged-files': mergedFilesMigration,
  '0076-merged-destinations': mergedDestinationsMigration,
  '0077-card-words': cardWordsMigration,
  '0078-system': systemMigration,
  '0079-backup-drills': backupDrillsMigration,
  '0080-group-prices': groupPricesMigration,
  '0081-restores': restoresMigration,
  '0082-asked-copies': askedCopiesMigration,
}

const NEWEST_MIGRATION = Object.keys(migrations).at(-1) ?? ''

/**
 * Migrates the database to the newest schema and returns the names of the migrations that were run.
 * Safe when two processes start at once: the second waits, then finds nothing to do.
 * @throws NewerDatabaseError
 */
export async function migrateToLatest(db: Db): Promise<string[]> {
  await listMigrations(db)
  await engineOf(db).createSchema?.(Object.keys(migrations))
  return migrate(db, migrations)
}

/**
 * The same, for a copy of the data, and tells when each migration has run.
 * @param note is called after each, with the time that it took
 */
export async function migrateMeasured(
  db: Db,
  note: (name: string, tookMs: number) => Promise<void>,
): Promise<void> {
  const measured = Object.entries(migrations).map(([name, { up }]): [string, Migration] => [
    name,
    {
      async up(trx) {
        const startedAt = performance.now()
        await up(trx)
        await note(name, performance.now() - startedAt)
      },
    },
  ])
  await listMigrations(db)
  await migrate(db, Object.fromEntries(measured))
}

/** Migrates an empty database to an earlier schema, with the first `count` migrations only. */
export async function migrateToEarlier(db: Db, count: number): Promise<void> {
  const known = Object.fromEntries(Object.entries(migrations).slice(0, count))
  await engineOf(db).createSchema?.(Object.keys(known))
  await migrate(db, known)
}

function migrate(db: Db, known: Record<string, Migration>): Promise<string[]> {
  const run = () => runMigrations(db, known)
  return engineOf(db).withoutReferences?.(run) ?? run()
}

async function runMigrations(db: Db, known: Record<string, Migration>): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(known) },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (!error) return (results ?? []).map((result) => result.migrationName)
  // Two processes starting at once may both create the migrator's own tables; the retry finds them.
  const again = await migrator.migrateToLatest()
  if (again.error) throw again.error
  return (again.results ?? []).map((result) => result.migrationName)
}

/**
 * The migrations that have run on a database, and those that this build would run.
 * @throws NewerDatabaseError
 */
export async function listMigrations(db: Db): Promise<{ done: string[]; waiting: string[] }> {
  const done = await listDone(db)
  const [newest] = findUnknownMigrations(done).toReversed()
  if (newest !== undefined) throw new NewerDatabaseError(newest, NEWEST_MIGRATION)
  return { done, waiting: Object.keys(migrations).filter((name) => !done.includes(name)) }
}

async function listDone(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Whether a newer version has migrated the database. */
export async function isNewer(db: Db): Promise<boolean> {
  return findUnknownMigrations(await listDone(db)).length > 0
}

/** Whether these are the first migrations of this build, in their order. */
export function isOurHistory(names: string[]): boolean {
  const ours = Object.keys(migrations)
  return names.length <= ours.length && names.every((name, index) => name === ours[index])
}

/** The migrations of a database that this build does not know because a newer one ran them. */
export function findUnknownMigrations(names: string[]): string[] {
  return names.filter((name) => !Object.hasOwn(migrations, name))
}
