import { Stack } from '@mantine/core'

import { ButtonLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { DataSourceCard } from '../features/inventory/data-source-card'
import { OwnRetailer } from '../features/inventory/own-retailer'
import { RetailerInventory } from '../features/inventory/retailer-inventory'
import { useMay } from '../session/may'
import { usePageTitle } from '../session/page-title'

/** A retailer's preview of its file. */
export function RetailerInventoryPage() {
  usePageTitle('Inventory Preview')
  const mayBrowse = useMay('files')
  return (
    <>
      <PageHeader
        title="Inventory Preview"
        subtitle="The first rows of your latest file"
        actions={
          mayBrowse && (
            <ButtonLink to="/retailer/items" variant="default">
              Look up an item
            </ButtonLink>
          )
        }
      />
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
