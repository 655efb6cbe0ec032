import { lazyPart } from '../../components/feedback/lazy-part'

/** The address from which a shop reads its file without signing in. */
export const FeedAddressCard = lazyPart(
  async () => (await import('./feed-address-panel')).FeedAddressPanel,
  { name: 'feed address', height: 180 },
)
