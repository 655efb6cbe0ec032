import { downloadRows } from './downloads'
import { requestRows } from './requests'
import type { Row } from './row'
import { syncRows } from './sync-rows'

/** All rows, in the order of the table. */
export const rows: readonly Row[] = [...syncRows, ...downloadRows, ...requestRows].toSorted(
  (one, other) => one.number - other.number,
)
