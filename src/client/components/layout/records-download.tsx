import { IconDownload } from '@tabler/icons-react'

import { guardFormulas } from '../../../shared/spreadsheet-cell'
import { CsvDownload } from './csv-download'

interface RecordsDownloadProps<Row> {
  rows: readonly Row[] | undefined
  columns: Record<string, (row: Row) => string | number | null>
  fileName: string
}

/** Saves a short list that is here already, for spreadsheets; nothing while there is none. */
export function RecordsDownload<Row>({ rows, columns, fileName }: RecordsDownloadProps<Row>) {
  if (!rows || rows.length === 0) return null
  const cells = rows.map((row) =>
    Object.values(columns).map((read) => guardFormulas(String(read(row) ?? ''))),
  )
  return (
    <CsvDownload
      rows={[Object.keys(columns), ...cells]}
      fileName={fileName}
      size="xs"
      variant="default"
      leftSection={<IconDownload size={14} aria-hidden="true" />}
    >
      Export CSV
    </CsvDownload>
  )
}
