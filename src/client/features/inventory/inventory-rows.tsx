import { INVENTORY_PREVIEW_ROWS } from '../../../shared/constants'
import type { InventoryPreview } from '../../../shared/schemas/file'
import type { ItemOwner } from '../../components/layout/item-link'
import { MoreInFile } from '../../components/table/more-in-file'
import { PreviewTable } from '../../components/table/preview-table'

interface InventoryRowsProps {
  preview: InventoryPreview
  owner?: ItemOwner | undefined
}

/** The header row and the first 10 rows of a published file. */
export function InventoryRows({ preview, owner }: InventoryRowsProps) {
  return (
    <>
      <PreviewTable
        label={`First rows of ${preview.fileName}`}
        columns={preview.columns}
        rows={preview.rows.slice(0, INVENTORY_PREVIEW_ROWS)}
        skuColumn={preview.skuColumn}
        quantityColumn={preview.quantityColumn}
        owner={owner}
      />
      <MoreInFile columnCount={preview.columnCount - preview.columns.length} />
    </>
  )
}
