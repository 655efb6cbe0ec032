import { Alert, Stack, Text } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'

import { CopyableCode } from '../layout/copyable-code'
import { DoneAction } from './done-action'

interface LinkToCopyProps {
  url: string
  /** Who gets it. */
  name: string
  /** The address that a mail could not be sent to, if one was to be. */
  failedEmail: string | null
  onClose: () => void
}

/** The link of an invitation, which is shown only now. */
export function LinkToCopy({ url, name, failedEmail, onClose }: LinkToCopyProps) {
  return (
    <Stack gap="md">
      {failedEmail && (
        <Alert
          color="yellow"
          icon={<IconMailOff size={18} aria-hidden="true" />}
          title="The mail could not be sent"
        >
          The invitation stays open. Pass the link on yourself, or send it again later.
        </Alert>
      )}
      <Text c="dimmed" fz="sm" textWrap="pretty">
        Pass this link on to <bdi>{name}</bdi>. It works once, for a week, for whoever opens it
        first, and is shown only now: afterwards you can make another one.
      </Text>
      <CopyableCode code={url} label="the link" />
      <DoneAction onClose={onClose} />
    </Stack>
  )
}
