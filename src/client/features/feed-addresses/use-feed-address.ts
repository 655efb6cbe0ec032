import { useState } from 'react'

import { feedFileNameOf } from '../../../shared/shop-formats'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** Creates and revokes the address of a retailer's shop. */
export function useFeedAddress(retailerId: number) {
  const utils = trpc.useUtils()
  const [newPath, setNewPath] = useState<string>()
  const info = trpc.app.info.useQuery()
  const choice = trpc.profiles.get.useQuery({ id: retailerId })
  const fileName = feedFileNameOf(choice.data?.profile.kind ?? 'asIs')
  /** The address that importers of the shop's format expect. */
  const toUrl = (path: string) =>
    new URL(
      path.slice(0, path.lastIndexOf('/') + 1) + fileName,
      info.data?.publicUrl ?? window.location.origin,
    ).href
  const refresh = () => utils.feedAddresses.list.invalidate({ id: retailerId })
  const create = trpc.feedAddresses.create.useMutation({
    onSuccess: async ({ path }) => {
      await refresh()
      setNewPath(path)
    },
    onError: (error) => showFailure(error, 'The address could not be created'),
  })
  const revoke = trpc.feedAddresses.revoke.useMutation({
    onSuccess: async () => {
      setNewPath(undefined)
      await refresh()
      showSuccess('Feed address revoked')
    },
    onError: (error) => showFailure(error, 'The address could not be revoked'),
  })
  return {
    create,
    revoke,
    fileName,
    newUrl: newPath && toUrl(newPath),
    exampleUrl: toUrl('/feeds/YOUR-TOKEN/inventory.csv'),
  }
}
