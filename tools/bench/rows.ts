import { backupRows } from './backup'
import { clientRows } from './client-size'
import { documentRows } from './documents'
import { downloadRows } from './downloads'
import { flushRows } from './flushes'
import { itemHistoryRows } from './item-history'
import { leastRows } from './least'
import { mergedFileRows } from './merged-file'
import { parserRows } from './parsers'
import { publishingRows } from './publishing'
import { queueRows } from './queue-claims'
import { readRows } from './reads'
import { requestRows } from './requests'
import type { Row } from './row'
import { syncCostRows } from './sync-costs'
import { syncRows } from './sync-rows'
import { waitRows } from './waits'
import { webProcessRows } from './web-processes'
import { windowRows } from './windows'
import { workbookRows } from './workbooks'

/** All rows, in the order of the table. */
export const rows: readonly Row[] = [
  ...syncRows,
  ...syncCostRows,
  ...parserRows,
  ...downloadRows,
  ...requestRows,
  ...readRows,
  ...backupRows,
  ...clientRows,
  ...waitRows,
  ...publishingRows,
  ...queueRows,
  ...windowRows,
  ...leastRows,
  ...workbookRows,
  ...documentRows,
  ...flushRows,
  ...webProcessRows,
  ...itemHistoryRows,
  ...mergedFileRows,
].toSorted((one, other) => one.number - other.number)
