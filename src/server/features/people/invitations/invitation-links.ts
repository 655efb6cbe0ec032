import type { WriteTransaction } from '../../../db/open'
import type { InvitationRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { openSecretLink } from '../../../domain/open-secret-link'
import { hashSecretToken } from '../../../domain/secret-token'
import { findUser } from '../accounts/users.queries'
import { findOpenInvitation, takeInvitation } from './invitations.queries'

/** The one answer to every link that does not work, so that it tells nothing about invitations. */
export const invalidLink = () =>
  new DomainError(
    'NOT_FOUND',
    'The invitation was used or withdrawn, or has expired. Ask whoever invited you for a new one.',
  )

/** @throws DomainError NOT_FOUND for any link that does not work; THROTTLED */
export const findByLink = (deps: Deps, token: string, address: string): Promise<InvitationRow> =>
  openSecretLink(deps, address, invalidLink, async () => {
    const found = await findOpenInvitation(deps.db, hashSecretToken(token), deps.clock.now())
    return found && (await isStillOffered(deps, found)) ? found : undefined
  })

/** A deactivated company invites nobody. */
async function isStillOffered(
  { db }: Pick<Deps, 'db'>,
  { companyId }: InvitationRow,
): Promise<boolean> {
  if (companyId === null) return true
  return (await findUser(db, companyId))?.isActive === true
}

/**
 * Uses an invitation up, so that nobody else can.
 * @throws DomainError NOT_FOUND when it was used, withdrawn or has expired
 */
export async function takeByLink(
  trx: WriteTransaction,
  { clock }: Pick<Deps, 'clock'>,
  token: string,
): Promise<InvitationRow> {
  const invitation = await takeInvitation(trx, hashSecretToken(token), clock.now())
  if (!invitation) throw invalidLink()
  return invitation
}

type RetailerTerms = Extract<InvitationRow['terms'], { kind: 'RETAILER' }>

/** Makes a login the retailer of the supplier who has invited it, with the settings of the invitation. */
export async function linkByInvitation(
  trx: WriteTransaction,
  deps: Deps,
  user: { id: number },
  { companyId, terms }: Pick<InvitationRow, 'companyId'> & { terms: RetailerTerms },
): Promise<number> {
  const supplier = companyId === null ? undefined : await findUser(trx, companyId)
  if (!supplier) throw invalidLink()
  const { kind: _, ...settings } = terms
  return deps.linkInvitedRetailer(trx, deps, supplier, { userId: user.id, ...settings })
}
