import { isDeepStrictEqual } from 'node:util'

import type { AuditNoun } from '../../../../shared/audit-actions'
import type { AuditChange } from '../../../../shared/schemas/audit'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { AuditEntryRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import {
  listEntriesById,
  listEntryIds,
  renameEntry,
  type EntriesOf,
} from './pseudonym-entries.queries'

/** What stands for the names of an account in the audit log once it is deleted. */
export const toPseudonym = (id: number) => `deleted account ${id}`

/** What is to be forgotten of an account: ids of people, stores and other things, and whose they are. */
export type Forgotten = {
  people: readonly number[]
  retailers: readonly { id: number; userId: number }[]
  invitations: readonly number[]
  webhooks: readonly number[]
  /** A supplier, of whom everything is forgotten. */
  supplierId?: number
  /** The company of the account. */
  companyId: number
}

const ENTRIES_AT_ONCE = 200
/** Fewer than a statement may have values. */
const IDS_AT_ONCE = 500

/** The kinds of entries whose subject is a person or its company. */
const NOUNS_OF_PEOPLE = ['user', 'person', 'administrator', 'account'] as const
const ABOUT_PEOPLE: readonly AuditNoun[] = NOUNS_OF_PEOPLE

/**
 * Lets pseudonyms take the place of names in entries of and about a deleted account, and forgets addresses and
 * what values were. The entries stay. A few in each transaction; calling it again completes it.
 */
export async function forgetInAuditLog(
  deps: Pick<Deps, 'db'>,
  forgotten: Forgotten,
  signal: AbortSignal,
): Promise<void> {
  for (const of of listEntriesOf(forgotten)) {
    const ids = await listEntryIds(deps.db, of)
    for (let start = 0; start < ids.length; start += ENTRIES_AT_ONCE) {
      signal.throwIfAborted()
      const some = ids.slice(start, start + ENTRIES_AT_ONCE)
      await inTransaction(deps.db, (trx) => renameEntries(trx, some, forgotten))
    }
  }
}

/** The same for the few entries since, in the transaction that deletes the account. */
export async function forgetLastEntries(trx: WriteTransaction, forgotten: Forgotten) {
  for (const of of listEntriesOf(forgotten)) {
    const ids = await listEntryIds(trx, of)
    for (let start = 0; start < ids.length; start += ENTRIES_AT_ONCE) {
      await renameEntries(trx, ids.slice(start, start + ENTRIES_AT_ONCE), forgotten)
    }
  }
}

function listEntriesOf(forgotten: Forgotten): EntriesOf[] {
  const { people, retailers, invitations, webhooks, supplierId } = forgotten
  const about = (nouns: readonly AuditNoun[], ids: readonly number[]): EntriesOf[] =>
    inParts(ids).map((subjectIds) => ({ nouns, subjectIds }))
  return [
    ...inParts(people).map((actorIds) => ({ actorIds })),
    ...about(NOUNS_OF_PEOPLE, people),
    ...about(
      ['retailer'],
      retailers.map(({ id }) => id),
    ),
    ...about(['invitation'], invitations),
    ...about(['webhook'], webhooks),
    ...(supplierId === undefined ? [] : [{ supplierId }, ...about(['supplier'], [supplierId])]),
  ]
}

function inParts(ids: readonly number[]): number[][] {
  const parts: number[][] = []
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    parts.push(ids.slice(start, start + IDS_AT_ONCE))
  }
  return parts
}

async function renameEntries(trx: WriteTransaction, ids: number[], forgotten: Forgotten) {
  for (const entry of await listEntriesById(trx, ids)) {
    const { actorName, keyName, subjectName, changes, address } = entry
    const renamed = renameIn(entry, forgotten)
    const isDone = isDeepStrictEqual(renamed, {
      actorName,
      keyName,
      subjectName,
      changes,
      address,
    })
    if (!isDone) await renameEntry(trx, entry.id, renamed)
  }
}

function renameIn(entry: AuditEntryRow, forgotten: Forgotten) {
  const { actorId } = entry
  const isOwn = actorId !== null && forgotten.people.includes(actorId)
  const goneId = findGoneSubject(entry, forgotten)
  const isAboutGone = goneId !== undefined
  return {
    actorName: isOwn ? toPseudonym(actorId) : entry.actorName,
    // Whoever made the key has named it.
    keyName: isOwn ? null : entry.keyName,
    subjectName: isAboutGone ? renameSubject(entry, goneId) : entry.subjectName,
    changes: isAboutGone ? (entry.changes?.map(withoutValues) ?? null) : entry.changes,
    // That of nobody known may be the person's.
    address: isOwn || (isAboutGone && actorId === null) ? null : entry.address,
  }
}

const PSEUDONYM = /^deleted account \d+$/

/** A retailer that was deleted before its supplier keeps the pseudonym of its own. */
const renameSubject = ({ subjectName }: AuditEntryRow, goneId: number) =>
  subjectName === null || PSEUDONYM.test(subjectName) ? subjectName : toPseudonym(goneId)

/** The account that the subject of an entry is, or belonged to; undefined for one that stays. */
function findGoneSubject(
  { noun, subjectId, supplierId }: AuditEntryRow,
  forgotten: Forgotten,
): number | undefined {
  const id = subjectId ?? 0
  if (ABOUT_PEOPLE.includes(noun as AuditNoun) && forgotten.people.includes(id)) return id
  const retailer = noun === 'retailer' && forgotten.retailers.find((one) => one.id === id)
  if (retailer) return retailer.userId
  const isOwn =
    (noun === 'invitation' && forgotten.invitations.includes(id)) ||
    (noun === 'webhook' && forgotten.webhooks.includes(id))
  if (isOwn) return forgotten.companyId
  const isOfSupplier =
    forgotten.supplierId !== undefined &&
    (supplierId === forgotten.supplierId || (noun === 'supplier' && id === forgotten.supplierId))
  return isOfSupplier ? forgotten.supplierId : undefined
}

const HIDDEN = '…'

const withoutValues = ({ field, before, after }: AuditChange): AuditChange => ({
  field,
  before: before === null ? null : HIDDEN,
  after: after === null ? null : HIDDEN,
})
