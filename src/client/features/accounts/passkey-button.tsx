import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'

import { hasPasskeys } from '../../lib/has-passkeys'

/** Signs in with a passkey, in browsers that have them. */
export const PasskeyButton = ({ onClick }: { onClick: () => void }) =>
  hasPasskeys() && (
    <Button
      variant="default"
      size="md"
      fullWidth
      mt="sm"
      leftSection={<IconFingerprint size={18} aria-hidden="true" />}
      onClick={onClick}
    >
      Sign in with a passkey
    </Button>
  )
