import { Modal } from '@mantine/core'

import { formatCountOf } from '../../../shared/format'
import type { Invitation } from '../../../shared/schemas/invitation'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { LinkToCopy } from '../../components/dialog/link-to-copy'
import { Panel } from '../../components/layout/panel'
import { RecordsDownload } from '../../components/layout/records-download'
import { DataTable } from '../../components/table/data-table'
import { useMay } from '../../session/may'
import { useProductUrl } from '../../session/product-url'
import {
  INVITATION_CSV,
  actionsColumn,
  toColumns,
  untilColumn,
  type InvitedKind,
} from './invitation-columns'
import { useInvitationActions } from './use-invitation-actions'

interface PendingInvitationsProps {
  pending: readonly Invitation[]
  /** Whether this installation sends e-mail. */
  hasMail: boolean
  of: InvitedKind
}

/** The invitations that wait for an answer, or to be sent again. Nothing without any. */
export function PendingInvitations({ pending, hasMail, of }: PendingInvitationsProps) {
  const actions = useInvitationActions(of)
  const mayChange = useMay(of === 'people' ? 'company' : 'manage')
  const { link, withdrawal, withdraw, renew } = actions
  const columns = [
    ...toColumns(of),
    untilColumn,
    ...(mayChange
      ? [
          actionsColumn({
            sendingId: renew.isPending && renew.variables.isMailed ? renew.variables.id : undefined,
            onSendAgain: actions.sendAgain,
            onCopyLink: (invitation) => link.open(invitation),
            onWithdraw: withdrawal.open,
            hasMail,
          }),
        ]
      : []),
  ]
  return (
    <>
      {pending.length > 0 && (
        <Panel
          title="Invitations"
          description={describe(pending)}
          actions={
            <RecordsDownload rows={pending} columns={INVITATION_CSV} fileName="invitations.csv" />
          }
          isFlush
        >
          <DataTable label="Invitations" columns={columns} rows={pending} rowKey={({ id }) => id} />
        </Panel>
      )}
      <LinkDialog actions={actions} />
      <ConfirmDialog
        isOpen={withdrawal.isOpen}
        onClose={withdrawal.close}
        title="Withdraw the invitation"
        confirmLabel="Withdraw"
        isPending={withdraw.isPending}
        onConfirm={() => withdrawal.subject && withdraw.mutate({ id: withdrawal.subject.id })}
      >
        The link of <bdi>{withdrawal.subject?.name}</bdi> works no more. You can invite again at any
        time.
      </ConfirmDialog>
    </>
  )
}

function describe(pending: readonly Invitation[]): string {
  const open = pending.filter(({ state }) => state === 'open').length
  const expired = pending.length - open
  const parts = [
    ...(open > 0 ? [`${formatCountOf(open, 'invitation')} open`] : []),
    ...(expired > 0 ? [`${expired} expired`] : []),
  ]
  return parts.join(', ')
}

/** Asks before a new link is made, and shows it then. */
function LinkDialog({ actions }: { actions: ReturnType<typeof useInvitationActions> }) {
  const { link, renew, createLink } = actions
  const toUrl = useProductUrl()
  const { subject, newPath, close, isOpen } = link
  if (newPath === undefined) {
    return (
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title="Create a new link"
        confirmLabel="Create link"
        isPending={renew.isPending}
        onConfirm={() => subject && createLink(subject)}
      >
        <bdi>{subject?.name}</bdi> gets a new link, which works for a week. The one before works no
        more{subject?.mailState === 'sent' && ', also the one that was sent by mail'}.
      </ConfirmDialog>
    )
  }
  return (
    <Modal opened={isOpen} onClose={close} title="Link of the invitation">
      <LinkToCopy
        url={toUrl(newPath)}
        name={subject?.name ?? ''}
        failedEmail={null}
        onClose={close}
      />
    </Modal>
  )
}
