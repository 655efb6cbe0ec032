import { useState } from 'react'

import type { FeedAddress } from '../../../shared/schemas/feed-address'
import type { ShopFormatKind } from '../../../shared/shop-formats'
import { feedFileNameOf } from '../../../shared/shop-formats'
import { useNewLink } from '../../lib/use-new-link'
import { trpc } from '../../trpc'

/** What is shown in place of a password that nobody knows any more. */
const MASKED_PASSWORD = '••••'

export const FEED_ADDRESS = { one: 'Feed address', several: 'Feed addresses', short: 'address' }

interface FeedAddressInput {
  retailerId: number
  /** Newest first. */
  addresses: FeedAddress[] | undefined
  /** The form in which the shop gets its file. */
  kind: ShopFormatKind
}

type Hidden = 'address' | 'password' | 'both'

function findHidden(isUrlKnown: boolean, isPasswordKnown: boolean): Hidden | null {
  if (isUrlKnown) return isPasswordKnown ? null : 'password'
  return isPasswordKnown ? 'address' : 'both'
}

export type FeedAddressCalls = ReturnType<typeof useFeedAddress>

/** Creates and revokes the address of a retailer's shop. */
export function useFeedAddress({ retailerId, addresses, kind }: FeedAddressInput) {
  const utils = trpc.useUtils()
  const { newPath, creating, revoking } = useNewLink(FEED_ADDRESS, () =>
    utils.feedAddresses.list.invalidate({ id: retailerId }),
  )
  const [newPassword, setNewPassword] = useState<string | null>(null)
  const info = trpc.app.info.useQuery()
  const { origin } = new URL(info.data?.publicUrl ?? window.location.origin)
  const fileName = feedFileNameOf(kind)
  const newest = addresses?.find(({ expiresAt }) => expiresAt === null)
  const newUrl = newPath && `${origin}${newPath.slice(0, newPath.lastIndexOf('/') + 1)}${fileName}`
  const maskedUrl = newest && `${origin}/feeds/••••${newest.tokenEnd}/${fileName}`
  const hasPassword = newest !== undefined && newest.passwordEnd !== null
  return {
    create: trpc.feedAddresses.create.useMutation(creating),
    revoke: trpc.feedAddresses.revoke.useMutation(revoking),
    origin,
    fileName,
    /** The address that importers of the shop's format expect; known as a whole only now. */
    newUrl,
    /** What is shown of the address afterwards. */
    maskedUrl,
    /** The address, or what is shown in its place, and the password besides. */
    url: newUrl ?? maskedUrl ?? `${origin}/feeds/••••••••/${fileName}`,
    password: hasPassword ? (newPassword ?? MASKED_PASSWORD) : null,
    /** What of it cannot be known any more; null when all is known. */
    hidden: findHidden(newUrl !== undefined, !hasPassword || newPassword !== null),
    setNewPassword,
  }
}
