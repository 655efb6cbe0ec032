import type { MailInbox, ShownMailInbox } from '../../../../shared/schemas/mail-inbox'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { ConnectionRow, MailInboxRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { hashSecretToken } from '../../../domain/secret-token'
import { SealError } from '../../../secrets/secret-box'
import { loadConnection } from '../../catalogue/connections/connections'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import type { UserRecord } from '../../people/accounts/users.queries'
import { recordConnectionAudit } from '../../people/audit/audited-records'
import { createMailToken, toMailAddress } from './mail-address'
import {
  deleteMailInbox,
  findInboxOfConnection,
  insertMailInbox,
  updateMailInbox,
} from './mail-inboxes.queries'
import { openToken, sealToken } from './seal-tokens'

/** Returns the address to which files of a connection are sent by mail, if it has one. */
export async function showMailInbox(
  deps: Deps,
  actor: Actor,
  connectionId: number,
): Promise<ShownMailInbox> {
  const connection = await loadConnection(deps.db, actor, connectionId)
  const { mailInboxDomain: domain } = deps.config
  if (domain === null) return { isAvailable: false, inbox: null }
  const row = await findInboxOfConnection(deps.db, connection.id)
  return { isAvailable: true, inbox: row ? toMailInbox(deps, connection, row, domain) : null }
}

/**
 * Creates the address of a connection, in place of the one before, which ends at once: whoever still sends to it
 * is told by the own mail server. Who is allowed to send stays.
 * @throws DomainError NOT_FOUND; NOT_CONFIGURED; THROTTLED
 */
export async function createMailInbox(
  deps: Deps,
  actor: Actor,
  connectionId: number,
): Promise<MailInbox> {
  const domain = requireDomain(deps)
  await loadConnection(deps.db, actor, connectionId)
  await countAttempts(deps, [{ limit: 'createMailInbox', subject: actor.id }])
  const token = createMailToken()
  return inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, connectionId)
    const stored = {
      tokenHash: hashSecretToken(token),
      sealedToken: sealToken(deps.secrets, connection.id, token),
      createdAt: deps.clock.now(),
      lastMailAt: null,
      toldAt: null,
    }
    const before = await findInboxOfConnection(trx, connection.id)
    if (before) await updateMailInbox(trx, before.id, stored)
    else await insertMailInbox(trx, connection, stored)
    await recordConnectionAudit(trx, deps, connection, { verb: 'create-mail-inbox' })
    return toMailInbox(deps, connection, await requireInbox(trx, connection), domain)
  })
}

/**
 * Sets whose mails are taken without asking.
 * @throws DomainError NOT_FOUND for a connection without an address
 */
export async function allowSenders(
  deps: Deps,
  actor: Actor,
  { id, allowedSenders }: { id: number; allowedSenders: string[] },
): Promise<MailInbox> {
  const domain = requireDomain(deps)
  await loadConnection(deps.db, actor, id)
  await countAttempts(deps, [{ limit: 'changeAccess', subject: actor.id }])
  return inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, id)
    const inbox = await requireInbox(trx, connection)
    await changeSenders(trx, deps, { connection, inbox, allowedSenders })
    return toMailInbox(deps, connection, { ...inbox, allowedSenders }, domain)
  })
}

type Change = { connection: ConnectionRow; inbox: MailInboxRow; allowedSenders: string[] }

export async function changeSenders(
  trx: WriteTransaction,
  deps: Deps,
  { connection, inbox, allowedSenders }: Change,
): Promise<void> {
  await updateMailInbox(trx, inbox.id, { allowedSenders })
  await recordConnectionAudit(trx, deps, connection, {
    verb: 'change-mail-senders',
    before: { allowedSenders: inbox.allowedSenders },
    after: { allowedSenders },
  })
}

/** Ends the address of a connection at once. Mails that wait can still be decided on. */
export function revokeMailInbox(deps: Deps, actor: Actor, connectionId: number): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, connectionId)
    await deleteMailInbox(trx, connection)
    await recordConnectionAudit(trx, deps, connection, { verb: 'revoke-mail-inbox' })
  })
}

/** Ends the address of a supplier, who has a new password and may not know who has it, or who was allowed. */
export async function endMailInboxOf(
  trx: WriteTransaction,
  deps: Deps,
  user: UserRecord,
): Promise<void> {
  const connection =
    user.role === 'SUPPLIER' ? await findSupplierConnection(trx, user.id) : undefined
  if (!connection || (await deleteMailInbox(trx, connection)) === 0) return
  await recordConnectionAudit(trx, deps, connection, { verb: 'revoke-mail-inbox' })
}

async function requireInbox(
  trx: WriteTransaction,
  { id }: Pick<ConnectionRow, 'id'>,
): Promise<MailInboxRow> {
  const inbox = await findInboxOfConnection(trx, id)
  if (!inbox) throw notFound('Mailbox')
  return inbox
}

function requireDomain({ config: { mailInboxDomain: domain } }: Deps): string {
  if (domain !== null) return domain
  throw new DomainError('NOT_CONFIGURED', 'This installation does not receive mails')
}

function toMailInbox(
  deps: Deps,
  { name }: Pick<ConnectionRow, 'name'>,
  row: MailInboxRow,
  domain: string,
): MailInbox {
  return {
    address: toMailAddress(name, openOrRefuse(deps, row), domain),
    allowedSenders: row.allowedSenders,
    createdAt: toInstant(row.createdAt),
    lastMailAt: toInstantOrNull(row.lastMailAt),
  }
}

function openOrRefuse({ secrets }: Deps, row: MailInboxRow): string {
  try {
    return openToken(secrets, row)
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    throw new DomainError(
      'CONFLICT',
      'The address cannot be shown, because its encryption key is missing. It still works; a new one can be created.',
    )
  }
}
