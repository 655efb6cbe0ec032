import { Button, type ButtonProps } from '@mantine/core'

import { writeCsv } from '../../lib/write-csv'

interface CsvDownloadProps extends ButtonProps {
  rows: readonly (readonly string[])[]
  fileName: string
}

/** A button that saves a small table as a CSV file; the byte order mark is for spreadsheets. */
export function CsvDownload({ rows, fileName, ...props }: CsvDownloadProps) {
  const content = encodeURIComponent(`\uFEFF${writeCsv(rows)}`)
  return (
    <Button
      component="a"
      href={`data:text/csv;charset=utf-8,${content}`}
      download={fileName}
      {...props}
    />
  )
}
