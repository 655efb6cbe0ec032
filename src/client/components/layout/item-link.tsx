import type { ReactNode } from 'react'

import { TextLink } from './links'

/** Of whose file an item is: of a supplier’s connection, or of the file of the retailer who looks. */
export type ItemOwner = { connectionId: number } | 'own'

interface ItemLinkProps {
  owner: ItemOwner
  sku: string
  children: ReactNode
}

/** Goes to what an item was over time. */
export function ItemLink({ owner, sku, children }: ItemLinkProps) {
  if (sku.trim() === '') return children
  const title = 'What this item was over time'
  return owner === 'own' ? (
    <TextLink to="/retailer/items" search={{ sku }} title={title} inherit c="inherit">
      {children}
    </TextLink>
  ) : (
    <TextLink
      to="/supplier/connections/$connectionId/items"
      params={{ connectionId: String(owner.connectionId) }}
      search={{ sku }}
      title={title}
      inherit
      c="inherit"
    >
      {children}
    </TextLink>
  )
}
