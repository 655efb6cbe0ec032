import type { Invitation, InvitationList } from '../../../shared/schemas/invitation'
import { LoadError, type FailedQuery } from '../../components/feedback/message-state'
import { Panel } from '../../components/layout/panel'
import { EndedInvitations } from './ended-invitations'
import type { InvitedKind } from './invitation-columns'
import { PendingInvitations } from './pending-invitations'

interface InvitationsPanelProps {
  query: FailedQuery & { data?: InvitationList | undefined }
  /** Those that wait for somebody, or those that were accepted or withdrawn. */
  shows: 'pending' | 'ended'
  of: InvitedKind
}

const isPending = ({ state }: Invitation) => state === 'open' || state === 'expired'

/** Invitations beside the list of who has accepted. Nothing without any. */
export function InvitationsPanel({ query, shows, of }: InvitationsPanelProps) {
  const { data } = query
  const { invitations = [], hasMail = false } = data ?? {}
  if (shows === 'ended') {
    const ended = invitations.filter((invitation) => !isPending(invitation))
    return ended.length > 0 && <EndedInvitations ended={ended} of={of} />
  }
  if (!data) {
    return (
      <Panel title="Invitations">
        <LoadError isCompact title="The invitations could not be loaded" query={query} />
      </Panel>
    )
  }
  return <PendingInvitations pending={invitations.filter(isPending)} hasMail={hasMail} of={of} />
}
