import { INVENTORY_PREVIEW_ROWS } from '../../../shared/constants'
import type { InventoryPreview } from '../../../shared/schemas/file'
import { MoreInFile } from '../../components/table/more-in-file'
import { PreviewTable } from '../../components/table/preview-table'

/** The header row and the first 10 rows of a published file. */
export function InventoryRows({ preview }: { preview: InventoryPreview }) {
  return (
    <>
      <PreviewTable
        label={`First rows of ${preview.fileName}`}
        columns={preview.columns}
        rows={preview.rows.slice(0, INVENTORY_PREVIEW_ROWS)}
        skuColumn={preview.skuColumn}
        quantityColumn={preview.quantityColumn}
      />
      <MoreInFile columnCount={preview.columnCount - preview.columns.length} />
    </>
  )
}
