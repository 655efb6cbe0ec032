import { useNavigate, useSearch } from '@tanstack/react-router'

import { PageHeader } from '../components/layout/page-header'
import { ConnectShop } from '../features/connect-shop/connect-shop'
import { SendMyFile } from '../features/destinations/send-my-file'
import { OwnRetailer } from '../features/inventory/own-retailer'
import { FetchBySftp } from '../features/sftp-login/fetch-by-sftp'
import { usePageTitle } from '../session/page-title'

/** Where a retailer connects its shop, and later sees whether it reads. */
export function ConnectShopPage() {
  usePageTitle('Connect your shop')
  const { shop } = useSearch({ from: '/retailer/retailer/shop' })
  const navigate = useNavigate({ from: '/retailer/shop' })
  return (
    <>
      <PageHeader
        title="Connect your shop"
        subtitle="Your shop then reads its stock by itself, as often as you let it"
      />
      <OwnRetailer>
        {(retailer) => (
          <ConnectShop
            retailer={retailer}
            viewedBy="retailer"
            others={
              <>
                <FetchBySftp retailerId={retailer.id} />
                <SendMyFile
                  file={retailer.id}
                  supplierName={retailer.supplierName}
                  viewedBy="retailer"
                />
              </>
            }
            shop={shop}
            onChoose={(chosen) =>
              void navigate({ search: { shop: chosen }, replace: true, resetScroll: false })
            }
          />
        )}
      </OwnRetailer>
    </>
  )
}
