import { useSearch } from '@tanstack/react-router'

import type { Retailer } from '../../shared/schemas/retailer'
import { BackLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { OwnRetailer } from '../features/inventory/own-retailer'
import { ItemLookup } from '../features/item-history/item-lookup'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

/** What an item of a retailer's file was over time. */
export function RetailerItemPage() {
  usePageTitle('Look up an Item')
  return (
    <>
      <BackLink to="/retailer/inventory">Inventory Preview</BackLink>
      <PageHeader title="Look up an Item" subtitle="What an item of your file was over time" />
      <OwnRetailer>{(retailer) => <OwnItem retailer={retailer} />}</OwnRetailer>
    </>
  )
}

function OwnItem({ retailer: { id } }: { retailer: Retailer }) {
  const { sku = '' } = useSearch({ from: '/retailer/retailer/items' })
  const query = trpc.itemHistory.ofRetailer.useQuery({ id, key: sku }, { enabled: sku !== '' })
  return <ItemLookup sku={sku} query={query} />
}
