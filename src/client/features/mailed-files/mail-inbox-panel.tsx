import { Button, Stack } from '@mantine/core'
import { IconMail, IconMailOff, IconRefresh, IconUnlink } from '@tabler/icons-react'
import { useState } from 'react'

import type { MailInbox, ShownMailInbox } from '../../../shared/schemas/mail-inbox'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { EmptyState, type FailedQuery, LoadError } from '../../components/feedback/message-state'
import { PendingButton } from '../../components/feedback/pending-button'
import { CopyableCode } from '../../components/layout/copyable-code'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import { MailList } from './mail-list'
import { useMailInbox } from './use-mail-inbox'

import classes from './mailed-files.module.css'

const AllowedSendersDialog = lazyDialog(
  async () => (await import('./allowed-senders-dialog')).AllowedSendersDialog,
)

type Question = 'replace' | 'revoke' | null

/** The address to which files of a connection are sent by mail, whose mails are taken, and what became of the last. */
export function MailInboxPanel({ connectionId: id }: { connectionId: number }) {
  const shown = trpc.mailInboxes.get.useQuery({ id })
  const mails = trpc.mails.list.useQuery({ id })
  const { create, revoke } = useMailInbox(id)
  const [question, setQuestion] = useState<Question>(null)
  const mayManage = useMay('manage')
  const close = () => setQuestion(null)
  const hasInbox = shown.data?.inbox != null
  return (
    <Panel
      title="Send by e-mail"
      description="For a program or a colleague that sends the file as an attachment."
      actions={
        hasInbox &&
        mayManage && (
          <>
            <PanelButton icon={IconRefresh} onClick={() => setQuestion('replace')}>
              Replace
            </PanelButton>
            <PanelButton icon={IconUnlink} onClick={() => setQuestion('revoke')}>
              Revoke
            </PanelButton>
          </>
        )
      }
    >
      <Stack gap="lg">
        <Address
          id={id}
          query={shown}
          isCreating={create.isPending}
          onCreate={mayManage ? () => create.mutate({ id }) : undefined}
        />
        {mails.isError && (
          <LoadError isCompact title="The mails could not be loaded" query={mails} />
        )}
        {mails.data && (hasInbox || mails.data.length > 0) && (
          <MailList connectionId={id} mails={mails.data} mayDecide={mayManage} />
        )}
      </Stack>
      <ConfirmDialog
        isOpen={question === 'replace'}
        onClose={close}
        title="Replace the address"
        confirmLabel="Replace"
        isPending={create.isPending}
        onConfirm={() => create.mutate({ id }, { onSettled: close })}
      >
        A new address is created. Mails to the present one are refused from now on, and their
        senders are told. Whose mails are taken stays as it is.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={question === 'revoke'}
        onClose={close}
        title="Revoke the address"
        confirmLabel="Revoke"
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutate({ id }, { onSettled: close })}
      >
        Mails to this address are refused from now on. It cannot be brought back, but a new one can
        be created.
      </ConfirmDialog>
    </Panel>
  )
}

interface AddressProps {
  id: number
  query: FailedQuery & { isError: boolean; data?: ShownMailInbox | undefined }
  isCreating: boolean
  /** Absent for whoever may not. */
  onCreate: (() => void) | undefined
}

function Address({ id, query, isCreating, onCreate }: AddressProps) {
  if (query.isError) {
    return <LoadError isCompact title="The address could not be loaded" query={query} />
  }
  if (query.data === undefined) return <LoadingBlock height={74} label="Loading the address" />
  const { isAvailable, inbox } = query.data
  if (!isAvailable) {
    return (
      <EmptyState isRow icon={IconMailOff} title="Not available here">
        Whoever runs this installation has not switched on that it receives mails.
      </EmptyState>
    )
  }
  if (inbox) return <Inbox id={id} inbox={inbox} mayManage={onCreate !== undefined} />
  return (
    <EmptyState
      isRow
      icon={IconMail}
      title="No address yet"
      action={
        onCreate && (
          <PendingButton isPending={isCreating} onClick={onCreate}>
            Create address
          </PendingButton>
        )
      }
    >
      The first table that is attached to a mail is read: CSV, Excel, ZIP and others. You choose
      whose mails are taken; all others wait for you.{' '}
      {!onCreate && 'Owners and editors of your company create it.'}
    </EmptyState>
  )
}

function Inbox({ id, inbox, mayManage }: { id: number; inbox: MailInbox; mayManage: boolean }) {
  const [isEditing, setEditing] = useState(false)
  const { address, allowedSenders } = inbox
  return (
    <Stack gap="md">
      <CopyableCode code={address} label="the address" />
      <div className={classes.senders}>
        <div className={classes.sendersText}>
          <h3 className={classes.heading}>Taken without asking</h3>
          {allowedSenders.length === 0 ? (
            <p className={classes.note}>Nobody’s mails yet: each one waits for you.</p>
          ) : (
            <ul className={classes.chips} aria-label="Allowed senders">
              {allowedSenders.map((sender) => (
                <li key={sender} className={classes.chip}>
                  <bdi>{sender}</bdi>
                </li>
              ))}
            </ul>
          )}
        </div>
        {mayManage && (
          <Button variant="default" size="xs" onClick={() => setEditing(true)}>
            {allowedSenders.length === 0 ? 'Allow senders' : 'Change senders'}
          </Button>
        )}
      </div>
      <AllowedSendersDialog
        isOpen={isEditing}
        onClose={() => setEditing(false)}
        connectionId={id}
        allowedSenders={allowedSenders}
      />
    </Stack>
  )
}
