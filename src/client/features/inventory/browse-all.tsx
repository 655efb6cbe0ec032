import { IconListSearch } from '@tabler/icons-react'

import { INVENTORY_PREVIEW_ROWS } from '../../../shared/constants'
import type { InventoryPreview } from '../../../shared/schemas/file'
import { PanelButton } from '../../components/layout/panel-button'
import { useRowsView } from '../../lib/use-rows-view'
import { BrowseRows } from './browse-rows'
import type { RowSource } from './use-browsed-rows'

/** Opens all rows of the file whose first rows are shown; they appear in `AllRows`. */
export function BrowseAllButton({ preview }: { preview: InventoryPreview }) {
  const [view, setView] = useRowsView()
  if (preview.rowCount <= INVENTORY_PREVIEW_ROWS || view.rows === 'all') return null
  return (
    <PanelButton icon={IconListSearch} onClick={() => setView({ rows: 'all' })}>
      Browse all rows
    </PanelButton>
  )
}

/** All rows of a file while they are open, as the URL says. */
export function AllRows({ source, fileName }: { source: RowSource; fileName: string }) {
  const [view, setView] = useRowsView()
  if (view.rows !== 'all') return null
  return (
    <BrowseRows
      source={source}
      fileName={fileName}
      q={view.q ?? ''}
      onQueryChange={(q) => setView({ rows: 'all', q: q || undefined })}
      onClose={() => setView({ rows: undefined, q: undefined })}
    />
  )
}
