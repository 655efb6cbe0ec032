import { LoadError } from '../components/feedback/message-state'
import { PageSpinner } from '../components/feedback/page-spinner'
import { Columns } from '../components/layout/columns'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { AlertChoices } from '../features/alerts/alert-choices'
import { BrowserCard } from '../features/alerts/browser-card'
import { Digests } from '../features/alerts/digests'
import { MailAddressCard } from '../features/alerts/mail-address-card'
import { useConfirmLink } from '../features/alerts/use-confirm-link'
import { WebhooksPanel } from '../features/webhooks/webhooks-panel'
import { useSignedInUser } from '../session/current-user'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

import classes from './panels.module.css'

/** What the user is told of, and how. */
export function AlertsPage() {
  usePageTitle('Alerts')
  useConfirmLink()
  const { role } = useSignedInUser()
  const choices = trpc.alerts.choices.useQuery()
  return (
    <>
      <PageHeader title="Alerts" subtitle="What you are told of, and how" />
      <div className={classes.panels}>
        {choices.isPending ? (
          <PageSpinner />
        ) : choices.isError ? (
          <Panel>
            <LoadError title="Your choices could not be loaded" query={choices} />
          </Panel>
        ) : (
          <Columns>
            <AlertChoices {...choices.data} />
            <div className={classes.panels}>
              <MailAddressCard mail={choices.data.mail} />
              <Digests {...choices.data} />
              <BrowserCard />
            </div>
          </Columns>
        )}
        {role !== 'RETAILER' && <WebhooksPanel />}
      </div>
    </>
  )
}
