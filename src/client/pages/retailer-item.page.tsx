import { Stack } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'

import type { Retailer } from '../../shared/schemas/retailer'
import { BackLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { OwnRetailer } from '../features/inventory/own-retailer'
import { ItemHistory } from '../features/item-history/item-history'
import { ItemSearch } from '../features/item-history/item-search'
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
  const navigate = useNavigate()
  const query = trpc.itemHistory.ofRetailer.useQuery({ id, key: sku }, { enabled: sku !== '' })
  return (
    <Stack gap="lg">
      <Panel>
        <ItemSearch
          sku={sku}
          onSearch={(found) => void navigate({ to: '.', search: { sku: found } })}
        />
      </Panel>
      <ItemHistory sku={sku} query={query} />
    </Stack>
  )
}
