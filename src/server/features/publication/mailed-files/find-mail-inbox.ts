import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionRow, MailInboxRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { findConnection } from '../../catalogue/connections/connections.queries'
import { findUser } from '../../people/accounts/users.queries'
import { hashOfAddress } from './mail-address'
import { findInboxOfToken } from './mail-inboxes.queries'

export type FoundMailInbox = { inbox: MailInboxRow; connection: Owned<ConnectionRow> }

/**
 * Finds whose address a mail is for; undefined for an address that is unknown, has been replaced or revoked, and
 * while its supplier is deactivated. Addresses are compared by their hashes, so that the time tells nothing.
 */
export async function findMailInbox(
  { db, config: { mailInboxDomain: domain } }: Pick<Deps, 'db' | 'config'>,
  recipient: string,
): Promise<FoundMailInbox | undefined> {
  const tokenHash = domain === null ? null : hashOfAddress(recipient, domain)
  const inbox = tokenHash === null ? undefined : await findInboxOfToken(db, tokenHash)
  const connection = inbox && (await findConnection(db, inbox.connectionId, {}))
  const supplier = connection && (await findUser(db, connection.supplierId))
  return inbox && connection && supplier?.isActive ? { inbox, connection } : undefined
}
