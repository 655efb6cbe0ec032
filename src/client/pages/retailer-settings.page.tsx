import { IconBuildingStore, IconEye } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'

import type { Retailer } from '../../shared/schemas/retailer'
import { BackLink, ButtonLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { ShopSummary } from '../features/connect-shop/shop-summary'
import { GroupCard } from '../features/retailers/group-card'
import { LoadedRetailer } from '../features/retailers/loaded-retailer'
import { PricesCard } from '../features/retailers/prices-card'
import { RetailerPulls } from '../features/retailers/retailer-pulls'
import { RetailerSettingsForm } from '../features/retailers/retailer-settings-form'
import { useListOfOrigin } from '../lib/use-list-view'

import classes from './retailer-settings.module.css'

/** A retailer's settings, edited by its supplier. */
export function RetailerSettingsPage() {
  const { retailerId } = useParams({ from: '/supplier/supplier/retailers/$retailerId' })
  return (
    <LoadedRetailer retailerId={retailerId}>
      {(retailer) => <RetailerSettings key={retailer.id} retailer={retailer} />}
    </LoadedRetailer>
  )
}

function RetailerSettings({ retailer }: { retailer: Retailer }) {
  const list = useListOfOrigin()
  return (
    <>
      <BackLink to="/supplier/retailers" search={list}>
        Back
      </BackLink>
      <PageHeader
        title={retailer.storeName || 'Unnamed Retailer'}
        subtitle={`Username: ${retailer.username}`}
        actions={
          <>
            <ButtonLink
              to="/supplier/retailers/$retailerId/shop"
              params={{ retailerId: String(retailer.id) }}
              state={{ list }}
              variant="default"
              leftSection={<IconBuildingStore size={16} aria-hidden="true" />}
            >
              Connect its shop
            </ButtonLink>
            <ButtonLink
              to="/supplier/retailers/$retailerId/preview"
              params={{ retailerId: String(retailer.id) }}
              state={{ list }}
              variant="default"
              leftSection={<IconEye size={16} aria-hidden="true" />}
            >
              Preview as this retailer
            </ButtonLink>
          </>
        }
      />
      <div className={classes.columns}>
        <RetailerSettingsForm retailer={retailer} />
        <div className={classes.use}>
          <GroupCard retailerId={retailer.id} />
          <PricesCard retailerId={retailer.id} />
          <RetailerPulls retailerId={retailer.id} />
          <ShopSummary retailerId={retailer.id} />
        </div>
      </div>
    </>
  )
}
