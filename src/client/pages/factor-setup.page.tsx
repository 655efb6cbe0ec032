import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconShieldLock } from '@tabler/icons-react'

import { FullPageMessage } from '../components/feedback/full-page-message'
import { PendingButton } from '../components/feedback/pending-button'
import { DownloadLink } from '../components/layout/download-link'
import { TurnOnDialog } from '../features/second-factor/lazy-dialogs'
import { formatDate } from '../lib/time-format'
import { usePageTitle } from '../session/page-title'
import { useLogout } from '../session/use-logout'

import classes from './factor-setup.module.css'

/** All that is shown to who has not turned on a second factor in time. */
export function FactorSetupPage({ by }: { by: string }) {
  usePageTitle('Second factor')
  const [isOpen, dialog] = useDisclosure(false)
  const logout = useLogout()
  return (
    <main className={classes.page}>
      <FullPageMessage
        emblem={<IconShieldLock size={24} stroke={1.5} />}
        title="Turn on a second factor"
        actions={
          <>
            <Button onClick={dialog.open}>Turn on…</Button>
            <PendingButton
              variant="default"
              isPending={logout.isPending}
              onClick={() => logout.mutate()}
            >
              Logout
            </PendingButton>
          </>
        }
      >
        Your administrator asks for one since <time dateTime={by}>{formatDate(by)}</time>. You need
        an authenticator app on your phone, and two minutes; then everything opens as before.
        <p className={classes.data}>
          <DownloadLink
            href="/api/account/data.json"
            variant="default"
            isCompact
            failure="Your data could not be downloaded"
          >
            Download my data
          </DownloadLink>
        </p>
      </FullPageMessage>
      <TurnOnDialog isOpen={isOpen} onClose={dialog.close} />
    </main>
  )
}
