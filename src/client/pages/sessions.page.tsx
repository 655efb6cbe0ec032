import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconLock } from '@tabler/icons-react'

import { PageHeader } from '../components/layout/page-header'
import { OwnSessions } from '../features/people/own-sessions'
import { ChangePasswordDialog } from '../session/lazy-dialogs'
import { usePageTitle } from '../session/page-title'

/** Where the user is signed in. */
export function SessionsPage() {
  usePageTitle('Sessions')
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <>
      <PageHeader
        title="Where you are signed in"
        subtitle="Something that is not yours? Change your password: that signs you out everywhere else."
        actions={
          <Button
            variant="default"
            leftSection={<IconLock size={16} aria-hidden="true" />}
            onClick={dialog.open}
          >
            Change Password
          </Button>
        }
      />
      <OwnSessions />
      <ChangePasswordDialog isOpen={isOpen} onClose={dialog.close} />
    </>
  )
}
