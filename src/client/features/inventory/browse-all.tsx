import { IconListSearch } from '@tabler/icons-react'

import { INVENTORY_PREVIEW_ROWS } from '../../../shared/constants'
import type { InventoryPreview } from '../../../shared/schemas/file'
import type { ItemOwner } from '../../components/layout/item-link'
import { PanelButton } from '../../components/layout/panel-button'
import { useRowsView } from '../../lib/use-rows-view'
import { useSignedInUser } from '../../session/current-user'
import { useMay } from '../../session/may'
import { BrowseRows } from './browse-rows'
import { InventoryRows } from './inventory-rows'
import type { RowSource } from './use-browsed-rows'

/** Shows all rows of the file in place of its first ones, and goes back to these. */
export function BrowseAllButton({ preview }: { preview: InventoryPreview }) {
  const [view, setView] = useRowsView()
  const mayBrowse = useMay('files')
  const isOpen = view.rows === 'all'
  if (!mayBrowse) return null
  if (preview.rowCount <= INVENTORY_PREVIEW_ROWS && !isOpen) return null
  return (
    <PanelButton
      icon={IconListSearch}
      onClick={() => setView(isOpen ? { rows: undefined, q: undefined } : { rows: 'all' })}
    >
      {isOpen ? 'First rows only' : 'Browse all rows'}
    </PanelButton>
  )
}

/** The first rows of a file, or all of them while they are open, as the URL says. */
export function FileRows({ source, preview }: { source: RowSource; preview: InventoryPreview }) {
  const [view, setView] = useRowsView()
  const mayBrowse = useMay('files')
  const owner = useItemOwner(source)
  if (view.rows !== 'all' || !mayBrowse) return <InventoryRows preview={preview} owner={owner} />
  return (
    <BrowseRows
      source={source}
      owner={owner}
      fileName={preview.fileName}
      skuColumn={preview.skuColumn}
      quantityColumn={preview.quantityColumn}
      q={view.q ?? ''}
      onQueryChange={(q) => setView({ rows: 'all', q: q || undefined })}
    />
  )
}

/** Whose history an item leads to; undefined for who has no page of it. */
function useItemOwner(source: RowSource): ItemOwner | undefined {
  const { role } = useSignedInUser()
  const mayBrowse = useMay('files')
  if (!mayBrowse) return undefined
  if ('connectionId' in source) {
    return role === 'SUPPLIER' ? { connectionId: source.connectionId } : undefined
  }
  return role === 'RETAILER' ? 'own' : undefined
}
