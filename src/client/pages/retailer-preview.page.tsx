import { Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'

import type { Retailer } from '../../shared/schemas/retailer'
import { BackLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { DataSourceCard } from '../features/inventory/data-source-card'
import { RetailerInventory } from '../features/inventory/retailer-inventory'
import { LoadedRetailer } from '../features/retailers/loaded-retailer'
import { useListOfOrigin } from '../lib/use-list-view'

/** What one of a supplier's retailers sees on its Inventory Preview. */
export function RetailerPreviewPage() {
  const { retailerId } = useParams({ from: '/supplier/supplier/retailers/$retailerId/preview' })
  return (
    <LoadedRetailer retailerId={retailerId} titlePrefix="Preview as ">
      {(retailer) => <RetailerPreview retailer={retailer} />}
    </LoadedRetailer>
  )
}

function RetailerPreview({ retailer }: { retailer: Retailer }) {
  const list = useListOfOrigin()
  return (
    <>
      <BackLink
        to="/supplier/retailers/$retailerId"
        params={{ retailerId: String(retailer.id) }}
        state={{ list }}
      >
        Settings
      </BackLink>
      <PageHeader
        title={`Preview as ${retailer.storeName || 'Unnamed Retailer'}`}
        subtitle="What this retailer sees now. Looking changes nothing for it, and counts as no download."
      />
      <Stack gap="lg">
        <DataSourceCard retailer={retailer} />
        <RetailerInventory retailer={retailer} />
      </Stack>
    </>
  )
}
