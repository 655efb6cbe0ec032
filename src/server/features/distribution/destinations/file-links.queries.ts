import { sql } from 'kysely'

import type { Db, WriteTransaction } from '../../../db/open'
import { countDeleted } from '../../../db/queries-kit/results'
import type { FileLinkRow, NewFileLinkRow } from '../../../db/schema'
import { COMPANY_OF_FILE, type SentFileIds } from './sent-file.queries'

/** A link that is there already works for longer. */
export async function putFileLink(trx: WriteTransaction, link: NewFileLinkRow): Promise<void> {
  const { createdAt, endsAt } = link
  await trx
    .insertInto('fileLinks')
    .values(link)
    .onConflict((conflict) => conflict.column('tokenHash').doUpdateSet({ createdAt, endsAt }))
    .execute()
}

/** Finds a link that has not ended, with who gets the mails of its destination. */
export function findFileLink(db: Db, tokenHash: string, now: number) {
  return db
    .selectFrom('fileLinks')
    .innerJoin('destinations', 'destinations.id', 'fileLinks.destinationId')
    .leftJoin('retailers', 'retailers.id', 'fileLinks.retailerId')
    .leftJoin('mergedFiles', 'mergedFiles.id', 'fileLinks.mergedFileId')
    .innerJoin('users as login', (join) => join.on('login.id', '=', COMPANY_OF_FILE))
    .selectAll('fileLinks')
    .select(['destinations.recipients', 'login.id as companyId'])
    .where('fileLinks.tokenHash', '=', tokenHash)
    .where('fileLinks.endsAt', '>', now)
    .where('login.isActive', '=', true)
    .executeTakeFirst()
}

/**
 * Lists the files of links of a supplier's retailers, each once for each retailer, or of a merged file, those of the oldest
 * links first.
 */
export function listLinkedFiles(
  db: Db,
  of: { supplierId: number } | { mergedFileId: number | null },
) {
  return db
    .selectFrom('fileLinks')
    .leftJoin('retailers', 'retailers.id', 'fileLinks.retailerId')
    .select(['fileLinks.retailerId', 'fileLinks.sha256', 'fileLinks.sizeBytes'])
    .where(({ eb }) =>
      'supplierId' in of
        ? eb('retailers.supplierId', '=', of.supplierId)
        : eb('fileLinks.mergedFileId', '=', of.mergedFileId),
    )
    .groupBy(['fileLinks.retailerId', 'fileLinks.sha256', 'fileLinks.sizeBytes'])
    .orderBy(sql`max("fileLinks"."createdAt")`)
    .execute()
}

type Of = Partial<Pick<FileLinkRow, keyof SentFileIds | 'destinationId' | 'userId' | 'sha256'>>

/** Ends the links to which all of this applies. */
export async function deleteFileLinks(trx: WriteTransaction, of: Of): Promise<void> {
  let links = trx.deleteFrom('fileLinks')
  for (const [column, value] of Object.entries(of)) {
    links =
      value === null
        ? links.where(column as keyof Of, 'is', value)
        : links.where(column as keyof Of, '=', value)
  }
  await links.execute()
}

/** Ends the links to files of a supplier's retailers. */
export async function deleteFileLinksOfSupplier(
  trx: WriteTransaction,
  supplierId: number,
): Promise<void> {
  await trx
    .deleteFrom('fileLinks')
    .where('retailerId', 'in', (eb) =>
      eb.selectFrom('retailers').select('id').where('supplierId', '=', supplierId),
    )
    .execute()
}

/** Ends the links to files of the members of a group, besides those that choose themselves what they see. */
export async function deleteFileLinksOfGroup(
  trx: WriteTransaction,
  groupId: number,
): Promise<void> {
  await trx
    .deleteFrom('fileLinks')
    .where('retailerId', 'in', (eb) =>
      eb
        .selectFrom('retailers')
        .select('id')
        .where('groupId', '=', groupId)
        .where('hasOwnVisibility', '=', false),
    )
    .execute()
}

/** Deletes links that have ended; returns how many. */
export function deleteEndedFileLinks(trx: WriteTransaction, now: number): Promise<number> {
  return countDeleted(trx.deleteFrom('fileLinks').where('endsAt', '<=', now))
}
