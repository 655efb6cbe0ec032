import { IconBuildingStore } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'

import { BackLink, ButtonLink } from '../components/links'
import { EmptyState, LoadError } from '../components/message-state'
import { PageHeader } from '../components/page-header'
import { PageSpinner } from '../components/page-spinner'
import { Panel } from '../components/panel'
import { RetailerSettingsForm } from '../features/retailers/retailer-settings-form'
import { errorStatus } from '../lib/error-message'
import { readId } from '../lib/read-id'
import { useListOfOrigin } from '../lib/use-list-view'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

/** A retailer's settings, edited by its supplier. */
export function RetailerSettingsPage() {
  const { retailerId } = useParams({ from: '/supplier/supplier/retailers/$retailerId' })
  const id = readId(retailerId)
  const query = trpc.retailers.get.useQuery({ id: id ?? 0 }, { enabled: id !== null })
  const retailer = query.data
  const list = useListOfOrigin()
  usePageTitle(retailer?.storeName || 'Retailer')
  if (id === null || errorStatus(query.error) === 404) return <RetailerNotFound />
  if (query.isError) {
    return (
      <Panel>
        <LoadError title="The retailer could not be loaded" query={query} />
      </Panel>
    )
  }
  if (!retailer) return <PageSpinner />
  return (
    <>
      <BackLink to="/supplier/retailers" search={list}>
        Back
      </BackLink>
      <PageHeader
        title={retailer.storeName || 'Unnamed Retailer'}
        subtitle={`Username: ${retailer.username}`}
      />
      <RetailerSettingsForm key={retailer.id} retailer={retailer} />
    </>
  )
}

function RetailerNotFound() {
  return (
    <Panel>
      <EmptyState
        icon={<IconBuildingStore size={20} stroke={1.75} />}
        title="Retailer not found"
        action={
          <ButtonLink to="/supplier/retailers" variant="default">
            Back to Retailers
          </ButtonLink>
        }
      >
        It may have been deleted, or the address is wrong.
      </EmptyState>
    </Panel>
  )
}
