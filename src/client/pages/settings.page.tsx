import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

import { Columns } from '../components/columns'
import { lazyDialog } from '../components/lazy-dialog'
import { LoadError } from '../components/message-state'
import { PageHeader } from '../components/page-header'
import { PageSpinner } from '../components/page-spinner'
import { Panel } from '../components/panel'
import { StoreInformationCard } from '../features/retailers/store-information-card'
import { useSignedInUser } from '../session/current-user'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

import classes from './settings.module.css'

const ChangePasswordDialog = lazyDialog(
  async () => (await import('../session/change-password-dialog')).ChangePasswordDialog,
)

/** Settings of a retailer or an administrator. */
export function SettingsPage() {
  usePageTitle('Settings')
  const isRetailer = useSignedInUser().role === 'RETAILER'
  return (
    <>
      <PageHeader
        title="Settings"
        subtitle={isRetailer ? 'Your store and your password' : 'Your password'}
      />
      <Columns>
        {isRetailer && <OwnStore />}
        <Security />
      </Columns>
    </>
  )
}

function OwnStore() {
  const own = trpc.retailers.own.useQuery()
  if (own.isPending) return <PageSpinner />
  if (own.isError) {
    return (
      <Panel>
        <LoadError isCompact title="Your store could not be loaded" query={own} />
      </Panel>
    )
  }
  return <StoreInformationCard retailer={own.data} />
}

function Security() {
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <>
      <Panel title="Security">
        <div className={classes.line}>
          <div>
            <div className={classes.name}>Password</div>
            <div className={classes.note}>Changing it signs you out everywhere else.</div>
          </div>
          <Button variant="default" onClick={dialog.open}>
            Change Password
          </Button>
        </div>
      </Panel>
      <ChangePasswordDialog isOpen={isOpen} onClose={dialog.close} />
    </>
  )
}
