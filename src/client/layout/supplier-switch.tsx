import { lazy, Suspense } from 'react'

import { loadCode } from '../lib/load-code'
import { useSignedInUser } from '../session/current-user'
import { useKeepRelation, useLastOwnRetailer } from '../session/relation'

/** For retailers with several suppliers only. */
const SupplierMenu = lazy(async () => {
  const loaded = await loadCode(() => import('./supplier-menu'))
  return { default: loaded.SupplierMenu }
})

/** Of which supplier a retailer sees the inventory; nothing for those with one. */
export function SupplierSwitch() {
  const { role } = useSignedInUser()
  const { data, isPlaceholderData } = useLastOwnRetailer({ enabled: role === 'RETAILER' })
  const isChoice = data && data.relations.length > 1
  useKeepRelation(isChoice && !isPlaceholderData ? data : undefined)
  if (!isChoice) return null
  return (
    <Suspense fallback={null}>
      <SupplierMenu retailer={data} />
    </Suspense>
  )
}
