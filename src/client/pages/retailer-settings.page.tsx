import { IconArrowLeft, IconBuildingStore } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'

import { ButtonLink, TextLink } from '../components/links'
import { EmptyState, ErrorState } from '../components/message-state'
import { PageHeader } from '../components/page-header'
import { PageSpinner } from '../components/page-spinner'
import { Panel } from '../components/panel'
import { RetailerSettingsForm } from '../features/retailers/retailer-settings-form'
import { errorMessage } from '../lib/error-message'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

/** §2, Retailer settings page. */
export function RetailerSettingsPage() {
  const { retailerId } = useParams({ from: '/supplier/supplier/retailers/$retailerId' })
  const list = trpc.retailers.list.useQuery()
  const retailer = list.data?.find(({ id }) => String(id) === retailerId)
  usePageTitle(retailer?.storeName ?? 'Retailer')
  if (list.isPending) return <PageSpinner />
  if (list.isError) {
    return (
      <Panel>
        <ErrorState
          title="The retailer could not be loaded"
          message={errorMessage(list.error)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      </Panel>
    )
  }
  if (!retailer) return <RetailerNotFound />
  return (
    <>
      <TextLink to="/supplier/retailers" display="inline-flex" mb="sm">
        <IconArrowLeft size={18} stroke={1.75} aria-hidden="true" />
        Back
      </TextLink>
      <PageHeader
        title={retailer.storeName || 'Unnamed Retailer'}
        subtitle={`Settings of the login ${retailer.username}`}
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
        It may have been deleted, or the address has a typing error.
      </EmptyState>
    </Panel>
  )
}
