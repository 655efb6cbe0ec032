import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

import { BackLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { ConnectShop } from '../features/connect-shop/connect-shop'
import { LoadedRetailer } from '../features/retailers/loaded-retailer'

const ROUTE = '/supplier/supplier/retailers/$retailerId/shop'

/** Where a supplier connects the shop of one of its retailers, or sends the retailer there. */
export function RetailerShopPage() {
  const { retailerId } = useParams({ from: ROUTE })
  const { shop } = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: '/supplier/retailers/$retailerId/shop' })
  return (
    <LoadedRetailer retailerId={retailerId} titlePrefix="Connect ">
      {(retailer) => (
        <>
          <BackLink to="/supplier/retailers/$retailerId" params={{ retailerId }}>
            Back
          </BackLink>
          <PageHeader
            title={`Connect ${retailer.storeName || 'Unnamed Retailer'}`}
            subtitle="Its shop then reads its stock by itself"
          />
          <ConnectShop
            key={retailer.id}
            retailer={retailer}
            viewedBy="supplier"
            shop={shop}
            onChoose={(chosen) =>
              void navigate({ search: { shop: chosen }, replace: true, resetScroll: false })
            }
          />
        </>
      )}
    </LoadedRetailer>
  )
}
