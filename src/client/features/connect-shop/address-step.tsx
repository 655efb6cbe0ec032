import { FEED_ADDRESS_OVERLAP_HOURS } from '../../../shared/constants'
import type { FeedAddress } from '../../../shared/schemas/feed-address'
import type { FailedQuery } from '../../components/feedback/message-state'
import { SecretLinkPanel } from '../../components/layout/secret-link-panel'
import { FEED_ADDRESS, type FeedAddressCalls } from './use-feed-address'

interface AddressStepProps {
  retailerId: number
  /** A line under the title: whose shop reads the address. */
  description: string
  query: FailedQuery & { isError: boolean; data?: FeedAddress[] | undefined }
  calls: FeedAddressCalls
}

/** The address from which a shop reads its file without signing in. */
export function AddressStep({ retailerId, description, query, calls }: AddressStepProps) {
  const { create, revoke, newUrl, fileName } = calls
  return (
    <SecretLinkPanel
      create={create}
      revoke={revoke}
      id={retailerId}
      name={FEED_ADDRESS}
      description={description}
      query={query}
      newUrl={newUrl}
      toPath={(tokenEnd) => `/feeds/…${tokenEnd}/${fileName}`}
      use="Read"
      purpose="An address that stays the same, for shop importers, spreadsheets and scripts. Whoever knows it can read the file, without signing in."
      ofReplacing={`A new address is created. The present one works for another ${FEED_ADDRESS_OVERLAP_HOURS} hours, so that the shop can be changed over without a gap.`}
      ofRevoking="Whatever reads the file from this address stops working at once. The address cannot be brought back, but a new one can be created."
    />
  )
}
