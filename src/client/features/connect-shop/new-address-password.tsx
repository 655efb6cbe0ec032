import { Stack, Text } from '@mantine/core'

import { ADDRESS_USER_NAME } from '../../../shared/address-protection'
import { DoneAction } from '../../components/dialog/done-action'
import { CopyableCode } from '../../components/layout/copyable-code'
import { DefinitionList } from '../../components/layout/definition-list'
import { PASSWORD_PLACES } from './password-places'

interface NewAddressPasswordProps {
  password: string
  /** The whole address, while it is known. */
  url: string | undefined
  onClose: () => void
}

/** The password of a feed address that was just made, which is shown only now, and where shops take it. */
export function NewAddressPassword({ password, url, onClose }: NewAddressPasswordProps) {
  return (
    <Stack gap="md">
      <Text textWrap="pretty">
        Copy the password now: it is shown only once, and stored nowhere. Give it to the shop with
        the user name <strong>{ADDRESS_USER_NAME}</strong>; until then the shop is refused.
      </Text>
      <CopyableCode code={password} label="the password" />
      {url && (
        <>
          <Text c="dimmed" fz="sm">
            To try it:
          </Text>
          <CopyableCode
            code={`curl -u ${ADDRESS_USER_NAME}:${password} "${url}"`}
            label="the example for curl"
          />
        </>
      )}
      <Text c="dimmed" fz="sm">
        Where it is typed:
      </Text>
      <DefinitionList items={PASSWORD_PLACES} />
      <DoneAction onClose={onClose} />
    </Stack>
  )
}
