import { useParams, useSearch } from '@tanstack/react-router'

import { BackLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { ItemLookup } from '../features/item-history/item-lookup'
import { readId } from '../lib/read-id'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'
import { NotFoundPage } from './not-found.page'

const ROUTE = '/supplier/supplier/connections/$connectionId/items'

/** What an item of a supplier's connection was over time. */
export function ConnectionItemPage() {
  usePageTitle('Look up an Item')
  const { connectionId } = useParams({ from: ROUTE })
  const { sku = '' } = useSearch({ from: ROUTE })
  const id = readId(connectionId)
  const connections = trpc.connections.list.useQuery()
  const query = trpc.itemHistory.ofConnection.useQuery(
    { id: id ?? 0, key: sku },
    { enabled: id !== null && sku !== '' },
  )
  const connection = connections.data?.find((one) => one.id === id)
  if (id === null || (connections.data && !connection)) return <NotFoundPage />
  return (
    <>
      <BackLink to="/supplier/inventory" search={{ connection: id }}>
        Inventory Preview
      </BackLink>
      <PageHeader
        title="Look up an Item"
        subtitle={
          connection ? `What it was over time, in ${connection.name}` : 'What it was over time'
        }
      />
      <ItemLookup sku={sku} query={query} />
    </>
  )
}
