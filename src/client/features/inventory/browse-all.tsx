import { IconListSearch } from '@tabler/icons-react'

import { INVENTORY_PREVIEW_ROWS } from '../../../shared/constants'
import type { InventoryPreview } from '../../../shared/schemas/file'
import { PanelButton } from '../../components/layout/panel-button'
import { useRowsView } from '../../lib/use-rows-view'
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
  if (view.rows !== 'all' || !mayBrowse) return <InventoryRows preview={preview} />
  return (
    <BrowseRows
      source={source}
      fileName={preview.fileName}
      skuColumn={preview.skuColumn}
      quantityColumn={preview.quantityColumn}
      q={view.q ?? ''}
      onQueryChange={(q) => setView({ rows: 'all', q: q || undefined })}
    />
  )
}
