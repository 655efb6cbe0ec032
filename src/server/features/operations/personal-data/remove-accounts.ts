import { engineOf } from '../../../db/engine'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import { deleteInBatches } from '../../../db/queries-kit/delete-in-batches'
import type { Deps } from '../../../domain/deps'
import { listWebhookIdsOf } from '../../alerting/webhooks/webhooks.queries'
import { stopConnectionsOf } from '../../catalogue/connections/connections.queries'
import { deleteSyncRunsOf } from '../../catalogue/connections/sync-runs.queries'
import { deleteVersionsOf } from '../../catalogue/versions/versions.queries'
import { deleteDownloadsOf } from '../../distribution/downloads/downloads.queries'
import {
  deleteRetailerRow,
  findRetailer,
  listNextRetailers,
  listRetailerIdsOf,
} from '../../distribution/retailers/retailers.queries'
import { dropVariantRequests } from '../../distribution/variants/variant-requests'
import {
  deletePeople,
  findDueCompany,
  listUnlinkedLogins,
  type Account,
} from '../../people/accounts/deleted-users.queries'
import { findPerson, listPeopleIds, type Person } from '../../people/accounts/persons.queries'
import { endCompanySessions } from '../../people/accounts/sessions.queries'
import { updateUser } from '../../people/accounts/users.queries'
import { endApiKeysOf } from '../../people/api-keys/end-api-keys'
import {
  forgetInAuditLog,
  forgetLastEntries,
  toPseudonym,
  type Forgotten,
} from '../../people/audit/pseudonyms'
import { recordAudit } from '../../people/audit/record-audit'
import { listInvitationIdsOf } from '../../people/invitations/invitations.queries'
import { deleteReceivedFilesOf } from '../../publication/received-files/received-files.queries'
import { deleteTracesOf, forgetPerson } from './forget-person'

const RETAILERS_AT_ONCE = 50
/** What a supplier's connections gather most of; the rest goes with them. */
const PARTS = [deleteSyncRunsOf, deleteReceivedFilesOf, deleteDownloadsOf, deleteVersionsOf]

/** Deletes the companies whose period of grace is over; returns how many. */
export async function removeDueCompanies(deps: Deps, signal: AbortSignal): Promise<number> {
  for (let count = 0; ; count += 1) {
    signal.throwIfAborted()
    const due = await findDueCompany(deps.db, deps.clock.now())
    if (!due) return count
    await removeCompany(deps, due, signal)
  }
}

/**
 * Deletes a company with its people and all that it has; a supplier with its retailers. A little in each
 * transaction: after a crash, calling it again completes it. Stored files that nobody else has are removed by
 * the cleaning of the storage after it.
 */
export async function removeCompany(
  deps: Deps,
  { id, createdAt }: Account,
  signal: AbortSignal,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await updateUser(trx, id, { isActive: false })
    await stopConnectionsOf(trx, id)
    await endCompanySessions(trx, id)
    await endApiKeysOf(trx, deps, await listPeopleIds(trx, id))
  })
  // From here on it stays deleted, whatever is restored.
  await deps.deletedAccounts.add({ what: 'account', id, createdAt })
  const company = await findPerson(deps.db, id)
  if (company?.role === 'SUPPLIER') await removeStock(deps, id, signal)
  await removeLogin(deps, id, signal, {
    ...(company?.role === 'SUPPLIER' && { supplierId: id }),
    last: (trx) =>
      recordAudit(trx, deps, {
        action: 'account.delete',
        subject: { id, name: toPseudonym(id) },
        actor: null,
      }),
  })
  await emptyLog(deps)
}

/** Nothing of it stays in a log of the database either; one that is in use is emptied within minutes, by a cron job. */
const emptyLog = ({ db }: Pick<Deps, 'db'>) => engineOf(db).checkpointLog?.()

/** Deletes a supplier's retailers, and what its connections have gathered. */
async function removeStock(deps: Deps, supplierId: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const retailers = await listNextRetailers(deps.db, supplierId, RETAILERS_AT_ONCE)
    if (retailers.length === 0) break
    for (const { id, userId, stores } of retailers) {
      if (stores === 1) await removeLogin(deps, userId, signal)
      else await removeStore(deps, { id, userId }, signal)
    }
  }
  for (const id of await listUnlinkedLogins(deps.db, supplierId))
    await removeLogin(deps, id, signal)
  for (const deleteSome of PARTS) {
    await deleteInBatches(deps.db, signal, (trx, limit) => deleteSome(trx, supplierId, limit))
  }
}

/** Deletes one store of a login that has others, of other suppliers. */
async function removeStore(
  deps: Deps,
  retailer: { id: number; userId: number },
  signal: AbortSignal,
): Promise<void> {
  const nothing = { people: [], invitations: [], webhooks: [], companyId: retailer.userId }
  const forgotten = { ...nothing, retailers: [retailer] }
  await forgetInAuditLog(deps, forgotten, signal)
  await inTransaction(deps.db, async (trx) => {
    await forgetLastEntries(trx, forgotten)
    await deleteRetailerRow(trx, retailer.id)
  })
}

type Removal = { supplierId?: number; last?: (trx: WriteTransaction) => Promise<void> }

/** Deletes a login with its members, stores and settings. */
async function removeLogin(
  deps: Deps,
  id: number,
  signal: AbortSignal,
  { supplierId, last }: Removal = {},
): Promise<void> {
  const forgotten = {
    ...(await listForgotten(deps, id, await listPeopleIds(deps.db, id))),
    ...(supplierId !== undefined && { supplierId }),
  }
  await forgetInAuditLog(deps, forgotten, signal)
  await inTransaction(deps.db, async (trx) => {
    for (const retailer of forgotten.retailers) await dropRequests(trx, deps, retailer.id)
    await forgetLastEntries(trx, forgotten)
    await deleteTracesOf(trx, forgotten.people)
    await deletePeople(trx, forgotten.people)
    await last?.(trx)
  })
}

async function dropRequests(trx: WriteTransaction, deps: Deps, retailerId: number) {
  const retailer = await findRetailer(trx, retailerId, {})
  if (!retailer) return
  await deleteRetailerRow(trx, retailerId)
  await dropVariantRequests(trx, retailer, deps.clock.now())
}

async function listForgotten(
  { db }: Pick<Deps, 'db'>,
  companyId: number,
  people: readonly number[],
): Promise<Forgotten> {
  return {
    companyId,
    people,
    retailers: await listRetailerIdsOf(db, companyId),
    invitations: await listInvitationIdsOf(db, people),
    webhooks: await listWebhookIdsOf(db, people),
  }
}

/**
 * Deletes a person who is not all of a company: a member, an administrator, or the first login of a company
 * whose row stays. `check` refuses, in the transaction.
 */
export async function removePersonOf(
  deps: Deps,
  person: Pick<Person, 'id' | 'createdAt'>,
  {
    signal,
    staysCompany,
    check = async () => undefined,
  }: {
    signal: AbortSignal
    staysCompany: boolean
    check?: (trx: WriteTransaction) => Promise<void>
  },
): Promise<void> {
  const { id, createdAt } = person
  const forgotten: Forgotten = {
    companyId: id,
    people: [id],
    retailers: [],
    invitations: staysCompany ? [] : await listInvitationIdsOf(deps.db, [id]),
    webhooks: staysCompany ? [] : await listWebhookIdsOf(deps.db, [id]),
  }
  await forgetInAuditLog(deps, forgotten, signal)
  await inTransaction(deps.db, async (trx) => {
    await check(trx)
    await recordAudit(trx, deps, {
      action: 'account.delete',
      subject: { id, name: toPseudonym(id) },
      actor: null,
    })
    await forgetLastEntries(trx, forgotten)
    await endApiKeysOf(trx, deps, [id])
    await forgetPerson(trx, id, { staysCompany })
    // The last thing that can fail before the commit.
    await deps.deletedAccounts.add({ what: staysCompany ? 'login' : 'account', id, createdAt })
  })
  await emptyLog(deps)
}
