import { LoadError } from '../components/feedback/message-state'
import { PageSpinner } from '../components/feedback/page-spinner'
import { BackLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { CardForm } from '../features/directory/card-form'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

/** What a supplier publishes of itself. */
export function CardPage() {
  usePageTitle('Card')
  const query = trpc.cards.get.useQuery()
  return (
    <>
      <BackLink to="/supplier/settings">Settings</BackLink>
      <PageHeader
        title="Card"
        subtitle="Show yourself to retailers who look for suppliers. Off until you publish it."
      />
      {query.data ? (
        <CardForm card={query.data} />
      ) : query.isError ? (
        <Panel>
          <LoadError title="Your card could not be loaded" query={query} />
        </Panel>
      ) : (
        <PageSpinner />
      )}
    </>
  )
}
