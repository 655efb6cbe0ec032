import { Button, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'

import { formatCountOf, formatFileSize } from '../../../shared/format'
import type { Mail } from '../../../shared/schemas/mail-inbox'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { PendingButton } from '../../components/feedback/pending-button'
import { StatusBadge, type StatusTone } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { formatDate } from '../../lib/time-format'
import { useDecisions } from './use-mail-inbox'

import classes from './mailed-files.module.css'

const STATES: Record<Mail['state'], { word: string; tone: StatusTone }> = {
  waiting: { word: 'Waits for you', tone: 'warn' },
  taken: { word: 'Taken', tone: 'good' },
  refused: { word: 'Refused', tone: 'bad' },
  discarded: { word: 'Discarded', tone: 'neutral' },
}

interface MailListProps {
  connectionId: number
  mails: Mail[]
  mayDecide: boolean
}

/** The last mails, those that wait first, and what became of each. */
export function MailList({ connectionId, mails, mayDecide }: MailListProps) {
  const [subject, setSubject] = useState<Mail | null>(null)
  const { take, discard } = useDecisions(connectionId)
  const waiting = mails.filter(({ state }) => state === 'waiting').length
  const close = () => setSubject(null)
  return (
    <div className={classes.list}>
      <h3 className={classes.heading}>Last mails</h3>
      <VisuallyHidden component="output">
        {waiting > 0 && `${formatCountOf(waiting, 'mail')} waiting for a decision`}
      </VisuallyHidden>
      {mails.length === 0 ? (
        <p className={classes.note}>None has come yet.</p>
      ) : (
        <ul className={classes.mails} aria-label="Last mails">
          {mails.map((mail) => (
            <li key={mail.id} className={classes.mail} data-state={mail.state}>
              <MailFacts mail={mail} />
              {mayDecide && mail.state === 'waiting' && (
                <Decision
                  mail={mail}
                  isPending={take.isPending && take.variables.mailId === mail.id}
                  onTake={(allowsSender) =>
                    take.mutate({ id: connectionId, mailId: mail.id, allowsSender })
                  }
                  onDiscard={() => setSubject(mail)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        isOpen={subject !== null}
        onClose={close}
        title="Discard the mail"
        confirmLabel="Discard"
        isPending={discard.isPending}
        onConfirm={() =>
          subject && discard.mutate({ id: connectionId, mailId: subject.id }, { onSettled: close })
        }
      >
        {subject?.fileName} is deleted. What is published stays as it is, and the sender is not
        told.
      </ConfirmDialog>
    </div>
  )
}

function MailFacts({ mail }: { mail: Mail }) {
  const { state, sender, subject, fileName, sizeBytes, otherFiles, reason } = mail
  const { word, tone } = STATES[state]
  return (
    <>
      <div className={classes.line}>
        <bdi className={classes.name}>{fileName ?? 'No table'}</bdi>
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </div>
      <p className={classes.note}>
        {sender === null ? 'Of no plain address' : <bdi>{sender}</bdi>}
        {subject !== null && (
          <>
            {' · “'}
            <bdi>{subject}</bdi>”
          </>
        )}
      </p>
      <p className={classes.note}>
        <TimeAgo instant={mail.receivedAt} />
        {sizeBytes !== null && ` · ${formatFileSize(sizeBytes, 1)}`}
        {mail.decidedBy !== null && ` · decided by ${mail.decidedBy}`}
        {mail.waitsUntil !== null && ` · waits until ${formatDate(mail.waitsUntil)}`}
      </p>
      {reason !== null && <p className={classes.reason}>{reason}</p>}
      {otherFiles > 0 && (
        <p className={classes.reason}>
          {formatCountOf(otherFiles, 'other table')} in it {otherFiles === 1 ? 'is' : 'are'} not
          read: send one in each mail.
        </p>
      )}
    </>
  )
}

interface DecisionProps {
  mail: Mail
  isPending: boolean
  onTake: (allowsSender: boolean) => void
  onDiscard: () => void
}

function Decision({ mail: { fileName, sender }, isPending, onTake, onDiscard }: DecisionProps) {
  const other = { size: 'xs', variant: 'default', disabled: isPending } as const
  return (
    <div className={classes.decision}>
      <PendingButton
        size="xs"
        aria-label={`Take ${fileName}`}
        isPending={isPending}
        onClick={() => onTake(false)}
      >
        Take
      </PendingButton>
      {sender !== null && (
        <Button
          {...other}
          aria-label={`Always take this sender, ${sender}`}
          onClick={() => onTake(true)}
        >
          Always take this sender
        </Button>
      )}
      <Button {...other} aria-label={`Discard ${fileName}`} onClick={onDiscard}>
        Discard
      </Button>
    </div>
  )
}
