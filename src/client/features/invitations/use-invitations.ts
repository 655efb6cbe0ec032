import type { Invitation } from '../../../shared/schemas/invitation'
import { trpc } from '../../trpc'

/** Whether it waits for somebody: for whoever is invited, or to be sent again. */
const isPending = ({ state }: Invitation) => state === 'open' || state === 'expired'

/** The caller's invitations: those that wait, and those that have ended. */
export function useInvitations() {
  const query = trpc.invitations.list.useQuery({})
  const all = query.data?.invitations ?? []
  return {
    query,
    pending: all.filter(isPending),
    ended: all.filter((invitation) => !isPending(invitation)),
    openCount: query.data?.openCount ?? 0,
    /** Whether this installation sends e-mail; it does until that is known. */
    hasMail: query.data?.hasMail ?? true,
  }
}
