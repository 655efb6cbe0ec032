import { IconLockOff, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'

import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { PanelButton } from '../../components/layout/panel-button'
import { Section, type LoginPartProps } from './login-part'

import classes from './sftp-login.module.css'

const QUESTIONS = {
  new: {
    title: 'Make a new password',
    confirmLabel: 'Make password',
    text: 'Programs that use the present one are refused from now on, until they get the new one.',
  },
  none: {
    title: 'Remove the password',
    confirmLabel: 'Remove',
    text: 'Programs that use it are refused from now on. Those with one of the keys go on.',
  },
}

/** The password of a login: replaced, or removed while there is a key. */
export function LoginPassword({
  id,
  calls: { change },
  login: { passwordEnd, publicKeys },
  mayChange,
}: LoginPartProps) {
  const [question, setQuestion] = useState<'new' | 'none'>()
  const close = () => setQuestion(undefined)
  const hasPassword = passwordEnd !== null
  const { title, confirmLabel, text } = QUESTIONS[question ?? 'new']
  return (
    <Section
      title="Password"
      actions={
        mayChange && (
          <>
            <PanelButton
              icon={IconRefresh}
              loading={!hasPassword && change.isPending}
              onClick={() =>
                hasPassword ? setQuestion('new') : change.mutate({ id, password: 'new' })
              }
            >
              {hasPassword ? 'New password' : 'Add a password'}
            </PanelButton>
            {hasPassword && publicKeys.length > 0 && (
              <PanelButton icon={IconLockOff} onClick={() => setQuestion('none')}>
                Remove password
              </PanelButton>
            )}
          </>
        )
      }
    >
      <p className={classes.note}>
        {hasPassword ? (
          <>
            Ends in <code>…{passwordEnd}</code>
          </>
        ) : (
          'None: only the keys below open it.'
        )}
      </p>
      <ConfirmDialog
        isOpen={question !== undefined}
        onClose={close}
        title={title}
        confirmLabel={confirmLabel}
        isPending={change.isPending}
        onConfirm={() => change.mutate({ id, password: question }, { onSettled: close })}
      >
        {text}
      </ConfirmDialog>
    </Section>
  )
}
