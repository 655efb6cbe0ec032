import { useSignedInUser } from '../../session/current-user'
import { trpc } from '../../trpc'
import type { Invitation } from './invitation-text'

/** The sender and the address of the signed-in supplier's invitations. */
export function useInvitation(): Invitation {
  const { companyName } = useSignedInUser()
  const info = trpc.app.info.useQuery()
  return { companyName, address: info.data?.publicUrl ?? window.location.origin }
}
