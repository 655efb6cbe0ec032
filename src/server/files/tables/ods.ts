import { FileError } from '../file-error'
import type { Archive } from './archive'
import type { Workbook, WorkbookLimits } from './workbook'

/** @throws FileError */
export async function openOds(_archive: Archive, _limits: WorkbookLimits): Promise<Workbook> {
  throw new FileError(
    'workbook-unsupported',
    'OpenDocument spreadsheets are not read yet. Save the table as .xlsx or as CSV.',
  )
}
