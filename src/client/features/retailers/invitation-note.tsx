import { Stack, Text } from '@mantine/core'

import { DoneAction } from '../../components/dialog/done-action'
import { CopyableCode } from '../../components/layout/copyable-code'
import { writeInvitation, type NewLogin } from './invitation-text'
import { useInvitation } from './use-invitation'

interface InvitationNoteProps {
  login: NewLogin
  onClose: () => void
}

/** A retailer's new login as a text to send: the only place where the password is shown. */
export function InvitationNote({ login, onClose }: InvitationNoteProps) {
  const text = writeInvitation(login, useInvitation())
  return (
    <Stack gap="md">
      <Text c="dimmed" fz="sm" textWrap="pretty">
        Send this to the retailer. The password is shown only now: afterwards it can be reset, but
        not read.
      </Text>
      <CopyableCode code={text} label="the invitation" />
      <DoneAction onClose={onClose} />
    </Stack>
  )
}
