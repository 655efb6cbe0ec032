import { IconBuildingStore } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import type { Retailer } from '../../../shared/schemas/retailer'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { PageSpinner } from '../../components/feedback/page-spinner'
import { ButtonLink } from '../../components/layout/links'
import { UnnamedPage } from '../../components/layout/unnamed-page'
import { errorStatus } from '../../lib/error-message'
import { readId } from '../../lib/read-id'
import { usePageTitle } from '../../session/page-title'
import { trpc } from '../../trpc'

interface LoadedRetailerProps {
  /** The id as it stands in the URL. */
  retailerId: string
  /** Precedes the store's name in the title of the browser tab. */
  titlePrefix?: string
  children: (retailer: Retailer) => ReactNode
}

/** Loads one of a supplier's retailers and shows its loading, error and missing states. */
export function LoadedRetailer({ retailerId, titlePrefix = '', children }: LoadedRetailerProps) {
  const id = readId(retailerId)
  const query = trpc.retailers.get.useQuery({ id: id ?? 0 }, { enabled: id !== null })
  usePageTitle(`${titlePrefix}${query.data?.storeName || 'Retailer'}`)
  if (id === null || errorStatus(query.error) === 404) return <RetailerNotFound />
  if (query.isError) {
    return (
      <UnnamedPage title="Retailer">
        <LoadError title="The retailer could not be loaded" query={query} />
      </UnnamedPage>
    )
  }
  return query.data ? children(query.data) : <PageSpinner />
}

function RetailerNotFound() {
  return (
    <UnnamedPage title="Retailer">
      <EmptyState
        icon={IconBuildingStore}
        title="Retailer not found"
        action={
          <ButtonLink to="/supplier/retailers" variant="default">
            Back to Retailers
          </ButtonLink>
        }
      >
        It may have been deleted, or the address is wrong.
      </EmptyState>
    </UnnamedPage>
  )
}
