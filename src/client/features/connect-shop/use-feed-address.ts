import type { FeedAddress } from '../../../shared/schemas/feed-address'
import type { ShopFormatKind } from '../../../shared/shop-formats'
import { feedFileNameOf } from '../../../shared/shop-formats'
import { useNewLink } from '../../lib/use-new-link'
import { trpc } from '../../trpc'

export const FEED_ADDRESS = { one: 'Feed address', several: 'Feed addresses', short: 'address' }

interface FeedAddressInput {
  retailerId: number
  /** Newest first. */
  addresses: FeedAddress[] | undefined
  /** The form in which the shop gets its file. */
  kind: ShopFormatKind
}

export type FeedAddressCalls = ReturnType<typeof useFeedAddress>

/** Creates and revokes the address of a retailer's shop. */
export function useFeedAddress({ retailerId, addresses, kind }: FeedAddressInput) {
  const utils = trpc.useUtils()
  const { newPath, creating, revoking } = useNewLink(FEED_ADDRESS, () =>
    utils.feedAddresses.list.invalidate({ id: retailerId }),
  )
  const info = trpc.app.info.useQuery()
  const { origin } = new URL(info.data?.publicUrl ?? window.location.origin)
  const fileName = feedFileNameOf(kind)
  const newest = addresses?.find(({ expiresAt }) => expiresAt === null)
  return {
    create: trpc.feedAddresses.create.useMutation(creating),
    revoke: trpc.feedAddresses.revoke.useMutation(revoking),
    origin,
    fileName,
    /** The address that importers of the shop's format expect; known as a whole only now. */
    newUrl: newPath && `${origin}${newPath.slice(0, newPath.lastIndexOf('/') + 1)}${fileName}`,
    /** What is shown of the address afterwards. */
    maskedUrl: newest && `${origin}/feeds/••••${newest.tokenEnd}/${fileName}`,
  }
}
