import { useState } from 'react'

import type { Invitation } from '../../../shared/schemas/invitation'
import { showError, showFailure, showSuccess } from '../../lib/toast'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { trpc } from '../../trpc'
import type { InvitedKind } from './invitation-columns'

/** What can be done with an invitation that waits, and the dialogs that it needs. */
export function useInvitationActions(of: InvitedKind) {
  const utils = trpc.useUtils()
  const refresh = () => void utils.invitations.invalidate()
  const link = useDialogSubject<Invitation>()
  const withdrawal = useDialogSubject<Invitation>()
  const [newPath, setNewPath] = useState<string>()
  const renewing = {
    onSettled: refresh,
    onError: (error: unknown) => showFailure(error, 'The invitation could not be sent again'),
  }
  const withdrawing = {
    onSuccess: ({ message }: { message: string }) => {
      withdrawal.close()
      showSuccess(message)
    },
    onSettled: refresh,
    onError: (error: unknown) => showFailure(error, 'The invitation could not be withdrawn'),
  }
  const accounts = {
    renew: trpc.invitations.renew.useMutation(renewing),
    withdraw: trpc.invitations.withdraw.useMutation(withdrawing),
  }
  // Other calls, because they are for owners only.
  const people = {
    renew: trpc.invitations.renewPerson.useMutation(renewing),
    withdraw: trpc.invitations.withdrawPerson.useMutation(withdrawing),
  }
  const { renew, withdraw } = of === 'people' ? people : accounts
  const openLink = (invitation: Invitation, path?: string) => {
    setNewPath(path)
    link.open(invitation)
  }
  return {
    link: { ...link, newPath, open: openLink },
    withdrawal,
    withdraw,
    renew,
    sendAgain: ({ id }: Invitation) =>
      renew.mutate(
        { id, isMailed: true },
        {
          onSuccess: ({ invitation, path }) => {
            if (path === null) return showSuccess(`Invitation sent to ${invitation.email}`)
            showError('The mail could not be sent. The link can be copied instead.')
            return openLink(invitation, path)
          },
        },
      ),
    createLink: ({ id }: Invitation) =>
      renew.mutate(
        { id, isMailed: false },
        { onSuccess: ({ path }) => setNewPath(path ?? undefined) },
      ),
  }
}
