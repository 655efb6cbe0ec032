import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

import type { Retailer } from '../../shared/schemas/retailer'
import { BackLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { ConnectShop } from '../features/connect-shop/connect-shop'
import { SendMyFile } from '../features/destinations/send-my-file'
import { LoadedRetailer } from '../features/retailers/loaded-retailer'
import { FetchBySftp } from '../features/sftp-login/fetch-by-sftp'
import { useListOfOrigin } from '../lib/use-list-view'

const ROUTE = '/supplier/supplier/retailers/$retailerId/shop'

/** Where a supplier connects the shop of one of its retailers, or sends the retailer there. */
export function RetailerShopPage() {
  const { retailerId } = useParams({ from: ROUTE })
  return (
    <LoadedRetailer retailerId={retailerId} titlePrefix="Connect ">
      {(retailer) => <RetailerShop key={retailer.id} retailer={retailer} />}
    </LoadedRetailer>
  )
}

function RetailerShop({ retailer }: { retailer: Retailer }) {
  const { shop } = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: '/supplier/retailers/$retailerId/shop' })
  const list = useListOfOrigin()
  return (
    <>
      <BackLink
        to="/supplier/retailers/$retailerId"
        params={{ retailerId: String(retailer.id) }}
        state={{ list }}
      >
        Back
      </BackLink>
      <PageHeader
        title={`Connect ${retailer.storeName || 'Unnamed Retailer'}`}
        subtitle="Its shop then reads its stock by itself"
      />
      <ConnectShop
        retailer={retailer}
        viewedBy="supplier"
        others={
          <>
            <FetchBySftp retailerId={retailer.id} />
            <SendMyFile
              file={retailer.id}
              supplierName={retailer.supplierName}
              viewedBy="supplier"
            />
          </>
        }
        shop={shop}
        onChoose={(chosen) =>
          void navigate({
            search: { shop: chosen },
            state: { list },
            replace: true,
            resetScroll: false,
          })
        }
      />
    </>
  )
}
