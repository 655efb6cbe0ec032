import { Stack } from '@mantine/core'

import { PageHeader } from '../components/layout/page-header'
import { DataSourceCard } from '../features/inventory/data-source-card'
import { OwnRetailer } from '../features/inventory/own-retailer'
import { RetailerInventory } from '../features/inventory/retailer-inventory'
import { usePageTitle } from '../session/page-title'

/** A retailer's preview of its file. */
export function RetailerInventoryPage() {
  usePageTitle('Inventory Preview')
  return (
    <>
      <PageHeader title="Inventory Preview" subtitle="The first rows of your latest file" />
      <OwnRetailer>
        {(retailer) => (
          <Stack gap="lg">
            <DataSourceCard retailer={retailer} />
            <RetailerInventory retailer={retailer} />
          </Stack>
        )}
      </OwnRetailer>
    </>
  )
}
