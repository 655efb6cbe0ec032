import { Stack, Text } from '@mantine/core'

import { DoneAction } from '../../components/dialog/done-action'
import { CopyableCode } from '../../components/layout/copyable-code'

interface RecoveryCodesProps {
  codes: readonly string[]
  onClose: () => void
}

/** The recovery codes, which are shown only now. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <Stack gap="md">
      <Text>
        Keep these recovery codes where you find them without your phone. Each one signs you in once
        in place of a code of the app.
      </Text>
      <CopyableCode code={codes.join('\n')} label="the recovery codes" />
      <Text c="dimmed" fz="sm">
        They are shown only now. You can make new ones at any time.
      </Text>
      <DoneAction onClose={onClose}>I have kept them</DoneAction>
    </Stack>
  )
}
