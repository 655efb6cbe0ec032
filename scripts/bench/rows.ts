import { backupRows } from './backup'
import { clientRows } from './client-size'
import { downloadRows } from './downloads'
import { readRows } from './reads'
import { requestRows } from './requests'
import type { Row } from './row'
import { syncCostRows } from './sync-costs'
import { syncRows } from './sync-rows'
import { waitRows } from './waits'

/** All rows, in the order of the table. */
export const rows: readonly Row[] = [
  ...syncRows,
  ...syncCostRows,
  ...downloadRows,
  ...requestRows,
  ...readRows,
  ...backupRows,
  ...clientRows,
  ...waitRows,
].toSorted((one, other) => one.number - other.number)
