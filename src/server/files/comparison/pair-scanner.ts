import { createRowScanner } from '../keys/stored-rows'
import type { RowCells } from './cell-pairs'
import type { RowBytes } from './paired-rows'

/** The result of the function is valid until its next call. */
export function createPairScanner(): (row: RowBytes) => RowCells {
  const scanOlder = createRowScanner()
  const scanNewer = createRowScanner()
  return ({ older, newer }) => ({
    older: older && scanOlder(older),
    newer: newer && scanNewer(newer),
  })
}
