import { delimiterOf } from '../../../shared/shop-formats'
import { createByteOutput } from '../byte-output'
import type { OutputFormat } from './column-finder'
import { createParquetOutput } from './parquet/parquet-output'
import type { RowOutput } from './row-target'
import { createCsvText, createJsonText } from './row-text'
import { createWorkbookOutput } from './workbook/workbook-output'

/** Where the rows of a shop format are written to, in the form that is asked for. */
export function createRowOutput({ form, profile, scales }: OutputFormat): RowOutput {
  if (form === 'xlsx') return createWorkbookOutput()
  if (form === 'parquet') return createParquetOutput(scales)
  const bytes = createByteOutput()
  return {
    start({ layout }) {
      const text =
        form === 'json' ? createJsonText(layout) : createCsvText(layout, delimiterOf(profile))
      bytes.addText(text.header)
      return (cells) => bytes.addText(text.row(cells))
    },
    size: bytes.total,
    flush: bytes.flush,
    finish: bytes.flush,
  }
}
