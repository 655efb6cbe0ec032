import { IconLink, IconMailForward, IconMailX } from '@tabler/icons-react'

import type { Invitation } from '../../../shared/schemas/invitation'
import { StatusBadge, type StatusTone } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Truncated } from '../../components/layout/truncated'
import { RowActions, type RowAction } from '../../components/table/row-actions'
import type { Column } from '../../components/table/table-column'
import { MEMBER_ROLE_LABELS } from '../../lib/member-roles'
import { formatDate } from '../../lib/time-format'

/** What the names of the invited are: of a store, a company or a person. */
const NAME_HEADERS = { retailers: 'Store Name', suppliers: 'Company Name', people: 'Name' }
export type InvitedKind = keyof typeof NAME_HEADERS

export const toColumns = (of: InvitedKind): Column<Invitation>[] => [
  {
    id: 'name',
    header: NAME_HEADERS[of],
    minWidth: 152,
    cell: ({ name, role }) => (
      <>
        <Truncated text={name} tone="strong" />
        {role && <Truncated text={MEMBER_ROLE_LABELS[role]} tone="note" />}
      </>
    ),
  },
  {
    id: 'email',
    header: 'Sent to',
    minWidth: 150,
    cell: ({ email, mailState }) =>
      email && mailState ? <Truncated text={email} dir="ltr" /> : 'Link passed on by hand',
  },
  { id: 'state', header: 'State', minWidth: 150, cell: (invitation) => <State {...invitation} /> },
]

export const untilColumn: Column<Invitation> = {
  id: 'until',
  header: 'Open until',
  width: 132,
  cell: ({ expiresAt }) => <time dateTime={expiresAt}>{formatDate(expiresAt)}</time>,
}

export const endedColumn: Column<Invitation> = {
  id: 'ended',
  header: 'Since',
  width: 150,
  cell: ({ endedAt }) => endedAt && <TimeAgo instant={endedAt} />,
}

export interface InvitationActions {
  /** The one that is being sent again. */
  sendingId: number | undefined
  onSendAgain: (invitation: Invitation) => void
  onCopyLink: (invitation: Invitation) => void
  onWithdraw: (invitation: Invitation) => void
  hasMail: boolean
}

export const actionsColumn = (actions: InvitationActions): Column<Invitation> => ({
  id: 'actions',
  header: 'Actions',
  align: 'right',
  actionCount: 3,
  cell: (invitation) => (
    <RowActions rowName={invitation.name} actions={listActions(invitation, actions)} />
  ),
})

function listActions(
  invitation: Invitation,
  { sendingId, hasMail, ...actions }: InvitationActions,
): RowAction[] {
  const sendAgain = {
    label: 'Send again',
    name: 'Send again the invitation of',
    icon: IconMailForward,
    isPending: sendingId === invitation.id,
    onClick: () => actions.onSendAgain(invitation),
  }
  return [
    ...(invitation.email !== null && hasMail ? [sendAgain] : []),
    {
      label: 'Copy link',
      name: 'Copy the link of',
      icon: IconLink,
      onClick: () => actions.onCopyLink(invitation),
    },
    {
      label: 'Withdraw',
      name: 'Withdraw the invitation of',
      icon: IconMailX,
      isDestructive: true,
      onClick: () => actions.onWithdraw(invitation),
    },
  ]
}

function State(invitation: Invitation) {
  const [tone, text] = describeState(invitation)
  return <StatusBadge tone={tone}>{text}</StatusBadge>
}

function describeState({ state, mailState, acceptedBy }: Invitation): [StatusTone, string] {
  if (state === 'accepted') return ['good', acceptedBy ? `Accepted by ${acceptedBy}` : 'Accepted']
  if (state === 'withdrawn') return ['neutral', 'Withdrawn']
  if (state === 'expired') return ['warn', 'Expired']
  if (mailState === 'failed') return ['bad', 'Mail not sent']
  return mailState === 'sending' ? ['busy', 'Being sent'] : ['neutral', 'Open']
}

/** Of a file for spreadsheets. */
export const INVITATION_CSV = {
  name: ({ name }: Invitation) => name,
  'e-mail': ({ email }: Invitation) => email,
  state: ({ state }: Invitation) => state,
  'open until': ({ expiresAt }: Invitation) => expiresAt,
  ended: ({ endedAt }: Invitation) => endedAt,
  'accepted by': ({ acceptedBy }: Invitation) => acceptedBy,
}
