import { Stack, Text } from '@mantine/core'
import { IconBuildingStore, IconTable, IconTruckDelivery } from '@tabler/icons-react'

import type { Retailer } from '../../shared/schemas/retailer'
import { storeUrlToHref } from '../../shared/web-address'
import { lazyPart } from '../components/feedback/lazy-part'
import { ExternalLink } from '../components/layout/external-link'
import { ButtonLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { ChangeSummary } from '../features/inventory/change-summary'
import { InventoryDataCard } from '../features/inventory/inventory-data-card'
import { OwnRetailer } from '../features/inventory/own-retailer'
import { StockCards } from '../features/inventory/stock-cards'
import { SupplierContact } from '../features/inventory/supplier-contact'
import { usePageTitle } from '../session/page-title'

import classes from './retailer-dashboard.module.css'

const DownloadHistory = lazyPart(
  async () => (await import('../features/inventory/download-history')).DownloadHistory,
  { name: 'download history', height: 150 },
)

/** A retailer's dashboard. */
export function RetailerDashboardPage() {
  usePageTitle('Dashboard')
  return (
    <>
      <PageHeader
        title="Dashboard"
        subtitle="Your supplier, your store and your latest file"
        actions={
          <ButtonLink
            to="/retailer/inventory"
            variant="default"
            leftSection={<IconTable size={16} aria-hidden="true" />}
          >
            Inventory Preview
          </ButtonLink>
        }
      />
      <OwnRetailer>
        {(retailer) => (
          <Stack gap="lg">
            <StockCards retailerId={retailer.id} />
            <SupplierAndStore retailer={retailer} />
            <InventoryDataCard retailer={retailer} />
            <ChangeSummary retailerId={retailer.id} />
            <DownloadHistory retailerId={retailer.id} />
          </Stack>
        )}
      </OwnRetailer>
    </>
  )
}

/** The supplier and the store. */
function SupplierAndStore({ retailer }: { retailer: Retailer }) {
  const { supplierName, storeName, storeUrl } = retailer
  const href = storeUrl ? storeUrlToHref(storeUrl) : undefined
  return (
    <section className={classes.relation} aria-label="Your supplier and your store">
      <div className={classes.side}>
        <span className={classes.icon} aria-hidden="true">
          <IconTruckDelivery size={20} stroke={1.6} />
        </span>
        <div className={classes.texts}>
          <h2 className={classes.name}>
            Connected to <bdi>{supplierName || 'Supplier'}</bdi>
          </h2>
          <SupplierContact />
        </div>
      </div>
      <div className={classes.side}>
        <span className={classes.icon} aria-hidden="true">
          <IconBuildingStore size={20} stroke={1.6} />
        </span>
        <div className={classes.texts}>
          <h2 className={classes.name}>
            <bdi>{storeName || 'Not configured'}</bdi>
          </h2>
          <Text component="div" c="dimmed" fz="sm">
            {href && storeUrl ? <ExternalLink href={href}>{storeUrl}</ExternalLink> : 'Your store'}
          </Text>
        </div>
      </div>
    </section>
  )
}
