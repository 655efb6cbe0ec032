import { FEED_ADDRESS_OVERLAP_HOURS } from '../../../shared/constants'
import { SecretLinkPanel } from '../../components/layout/secret-link-panel'
import { trpc } from '../../trpc'
import { HowToRead } from './how-to-read'
import { FEED_ADDRESS, useFeedAddress } from './use-feed-address'

interface FeedAddressPanelProps {
  retailerId: number
  /** A line under the title: whose shop reads the address. */
  description: string
}

/** The address from which a shop reads its file without signing in. */
export function FeedAddressPanel({ retailerId, description }: FeedAddressPanelProps) {
  const query = trpc.feedAddresses.list.useQuery({ id: retailerId })
  const { newUrl, exampleUrl, fileName, ...calls } = useFeedAddress(retailerId)
  return (
    <SecretLinkPanel
      {...calls}
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
    >
      <HowToRead url={newUrl ?? exampleUrl} />
    </SecretLinkPanel>
  )
}
