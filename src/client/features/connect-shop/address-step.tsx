import { FEED_ADDRESS_OVERLAP_HOURS } from '../../../shared/constants'
import type { FeedAddress } from '../../../shared/schemas/feed-address'
import type { FailedQuery } from '../../components/feedback/message-state'
import { SecretLinkPanel } from '../../components/layout/secret-link-panel'
import { useMay } from '../../session/may'
import { AddressProtection } from './address-protection'
import type { ShopViewer } from './shop-viewer'
import { FEED_ADDRESS, type FeedAddressCalls } from './use-feed-address'

interface AddressStepProps {
  retailerId: number
  viewer: ShopViewer
  query: FailedQuery & { isError: boolean; data?: FeedAddress[] | undefined }
  calls: FeedAddressCalls
}

/** The address from which a shop reads its file without signing in. */
export function AddressStep({ retailerId, viewer, query, calls }: AddressStepProps) {
  const mayChange = useMay('addresses')
  const { create, revoke, newUrl, fileName, setNewPassword } = calls
  const [newest] = query.data ?? []
  return (
    <SecretLinkPanel
      create={create}
      revoke={revoke}
      id={retailerId}
      whoChanges={mayChange ? undefined : viewer.whoConnects}
      name={FEED_ADDRESS}
      description={viewer.ofAddress}
      query={query}
      newUrl={newUrl}
      toPath={(tokenEnd) => `/feeds/…${tokenEnd}/${fileName}`}
      use="Read"
      purpose="An address that stays the same, for shop importers, spreadsheets and scripts. Whoever knows it can read the file, without signing in."
      ofReplacing={`A new address is created. The present one works for another ${FEED_ADDRESS_OVERLAP_HOURS} hours, so that the shop can be changed over without a gap. The protection stays.`}
      ofRevoking="Whatever reads the file from this address stops working at once. The address cannot be brought back, but a new one can be created."
    >
      {newest && (
        <AddressProtection
          retailerId={retailerId}
          address={newest}
          mayChange={mayChange}
          url={newUrl}
          onNewPassword={setNewPassword}
        />
      )}
    </SecretLinkPanel>
  )
}
