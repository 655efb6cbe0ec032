import { useState, type ReactNode } from 'react'

import type { NewInvitation } from '../../../shared/schemas/invitation'
import { showSuccess } from '../../lib/toast'
import { FormDialog } from './form-dialog'
import type { DialogProps } from './lazy-dialog'
import { LinkToCopy } from './link-to-copy'

export interface InviteDialogProps extends DialogProps {
  /** Whether this installation sends e-mail. */
  hasMail: boolean
}

interface FrameProps extends DialogProps {
  title: string
  /** The whole address of the link with this path. */
  toUrl: (path: string) => string
  /** The form, which says when somebody is invited. */
  children: (onInvited: (made: NewInvitation) => void) => ReactNode
}

/** A dialog that invites somebody: the form, and afterwards the link if it was not sent. */
export function InviteDialog({ isOpen, onClose, title, ...props }: FrameProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={title}>
      <Steps onClose={onClose} {...props} />
    </FormDialog>
  )
}

function Steps({ onClose, toUrl, children }: Omit<FrameProps, 'isOpen' | 'title'>) {
  const [made, setMade] = useState<NewInvitation>()
  if (made?.path) {
    const { name, email } = made.invitation
    return <LinkToCopy url={toUrl(made.path)} name={name} failedEmail={email} onClose={onClose} />
  }
  return children((invited) => {
    setMade(invited)
    if (invited.path) return
    showSuccess(`Invitation sent to ${invited.invitation.email}`)
    onClose()
  })
}
