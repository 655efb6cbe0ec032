import { feedFileNameOf } from '../../../shared/shop-formats'
import { useNewLink } from '../../lib/use-new-link'
import { trpc } from '../../trpc'

export const FEED_ADDRESS = { one: 'Feed address', several: 'Feed addresses', short: 'address' }

/** Creates and revokes the address of a retailer's shop. */
export function useFeedAddress(retailerId: number) {
  const utils = trpc.useUtils()
  const { newPath, creating, revoking } = useNewLink(FEED_ADDRESS, () =>
    utils.feedAddresses.list.invalidate({ id: retailerId }),
  )
  const info = trpc.app.info.useQuery()
  const choice = trpc.profiles.get.useQuery({ id: retailerId })
  const fileName = feedFileNameOf(choice.data?.profile.kind ?? 'asIs')
  /** The address that importers of the shop's format expect. */
  const toUrl = (path: string) =>
    new URL(
      path.slice(0, path.lastIndexOf('/') + 1) + fileName,
      info.data?.publicUrl ?? window.location.origin,
    ).href
  return {
    create: trpc.feedAddresses.create.useMutation(creating),
    revoke: trpc.feedAddresses.revoke.useMutation(revoking),
    fileName,
    newUrl: newPath && toUrl(newPath),
    exampleUrl: toUrl('/feeds/YOUR-TOKEN/inventory.csv'),
  }
}
