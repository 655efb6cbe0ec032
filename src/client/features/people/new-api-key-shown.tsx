import { Stack, Text } from '@mantine/core'

import type { NewApiKey } from '../../../shared/schemas/api-key'
import { DoneAction } from '../../components/dialog/done-action'
import { CopyableCode } from '../../components/layout/copyable-code'
import { useSignedInUser } from '../../session/current-user'
import { useProductUrl } from '../../session/product-url'
import { exampleCommand } from './api-key-words'

/** A key that was just made, which is shown only now. */
export function NewApiKeyShown({ made, onClose }: { made: NewApiKey; onClose: () => void }) {
  const { origin } = new URL(useProductUrl()('/'))
  const example = exampleCommand(made.key, useSignedInUser().role, origin)
  return (
    <Stack gap="md">
      <Text textWrap="pretty">
        Copy the key now: it is shown only once, and stored nowhere. Whoever has it calls in your
        name, as far as the key goes.
      </Text>
      <CopyableCode code={made.token} label="the key" />
      {example && (
        <>
          <Text c="dimmed" fz="sm" textWrap="pretty">
            A program sends it with each call, for example:
          </Text>
          <CopyableCode code={example} label="the example" />
        </>
      )}
      <DoneAction onClose={onClose} />
    </Stack>
  )
}
