import { Button } from '@mantine/core'
import { useDisclosure, useWindowEvent } from '@mantine/hooks'
import { IconShieldLock } from '@tabler/icons-react'

import { FullPageMessage } from '../../components/feedback/full-page-message'
import { PendingButton } from '../../components/feedback/pending-button'
import { DownloadLink } from '../../components/layout/download-link'
import { formatDate } from '../../lib/time-format'
import { usePageTitle } from '../../session/page-title'
import { useLogout } from '../../session/use-logout'
import { trpc } from '../../trpc'
import { TurnOnDialog } from './lazy-dialogs'

import classes from './factor-setup.module.css'

/** All that is shown to who has not turned on a second factor in time. */
export function FactorSetup({ by }: { by: string }) {
  usePageTitle('Second factor')
  const [isOpen, dialog] = useDisclosure(false)
  const logout = useLogout()
  const { session } = trpc.useUtils()
  // It may have been turned on in another window, or be asked for no more; but the recovery codes have to be seen first.
  useWindowEvent('focus', () => {
    if (!isOpen) void session.current.invalidate()
  })
  return (
    <main className={classes.page}>
      <FullPageMessage
        emblem={<IconShieldLock size={24} stroke={1.5} />}
        title="Turn on a second factor"
        actions={
          <>
            <Button onClick={dialog.open}>Turn on…</Button>
            <DownloadLink
              href="/api/account/data.json"
              variant="default"
              failure="Your data could not be downloaded"
            >
              Download my data
            </DownloadLink>
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
        Your administrator asks for one, by <time dateTime={by}>{formatDate(by)}</time>. You need an
        authenticator app on your phone, and two minutes; then everything opens as before.
      </FullPageMessage>
      <TurnOnDialog isOpen={isOpen} onClose={dialog.close} />
    </main>
  )
}
