import { Button, Divider, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

import { DownloadLink } from '../../components/layout/download-link'
import { Panel } from '../../components/layout/panel'
import { SettingLine } from '../../components/layout/setting-line'
import { formatDate } from '../../lib/time-format'
import { useSignedInUser } from '../../session/current-user'
import { DeleteAccountDialog } from './lazy-dialogs'

const NOT_LOADED = 'Your data could not be downloaded'

/** What is stored about the signed-in person: to be downloaded, and to be deleted. */
export function YourDataPanel() {
  const { deletionAt, viewedUntil } = useSignedInUser()
  const [isOpen, dialog] = useDisclosure(false)
  const isOnlyViewed = viewedUntil !== undefined
  return (
    <>
      <Panel title="Your data">
        <Stack gap="md">
          <SettingLine
            title="Download my data"
            note="All that is stored about you: account, sign-ins, alerts and what you did. An owner gets the company’s too. Without passwords and secrets."
          >
            {!isOnlyViewed && (
              <Group gap={8}>
                <DownloadLink href="/api/account/data.json" variant="default" failure={NOT_LOADED}>
                  JSON
                </DownloadLink>
                <DownloadLink href="/api/account/data.csv" variant="default" failure={NOT_LOADED}>
                  CSV
                </DownloadLink>
              </Group>
            )}
          </SettingLine>
          <Divider />
          <SettingLine
            title="Delete my account"
            note={
              deletionAt === undefined
                ? 'You see what goes with it, and confirm it, before anything happens.'
                : `This account is to be deleted on ${formatDate(deletionAt)}.`
            }
          >
            {!isOnlyViewed && deletionAt === undefined && (
              <Button variant="default" onClick={dialog.open}>
                Delete account…
              </Button>
            )}
          </SettingLine>
        </Stack>
      </Panel>
      <DeleteAccountDialog isOpen={isOpen} onClose={dialog.close} />
    </>
  )
}
