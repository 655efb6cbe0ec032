import { Button, Stack, Text } from '@mantine/core'

import { DialogActions } from '../../components/dialog/dialog-actions'
import { CopyableCode } from '../../components/layout/copyable-code'
import { useFocusOnMount } from '../../lib/use-focus-on-mount'
import { writeInvitation, type NewLogin } from './invitation-text'
import { useInvitation } from './use-invitation'

interface InvitationNoteProps {
  login: NewLogin
  onClose: () => void
}

/** A retailer's new login as a text to send: the only place where the password is shown. */
export function InvitationNote({ login, onClose }: InvitationNoteProps) {
  const done = useFocusOnMount<HTMLButtonElement>()
  const text = writeInvitation(login, useInvitation())
  return (
    <Stack gap="md">
      <Text c="dimmed" fz="sm" textWrap="pretty">
        Send this to the retailer. The password is shown only now: afterwards it can be reset, but
        not read.
      </Text>
      <CopyableCode code={text} label="the invitation" />
      <DialogActions>
        <Button ref={done} onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Stack>
  )
}
