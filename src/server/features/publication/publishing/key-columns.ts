import type { WrittenKeys } from '../../../files/file-readers'

/** The columns of a version that describe its key file; all null without one. */
export function toKeyColumns(keys: WrittenKeys | null) {
  return {
    keysSha256: keys?.content.sha256 ?? null,
    keysBytes: keys?.content.sizeBytes ?? null,
    keyColumn: keys?.column ?? null,
    keyQuantityColumn: keys?.quantityColumn ?? null,
    keyCount: keys?.keyCount ?? null,
    repeatedRows: keys?.repeatedRows ?? null,
    keylessRows: keys?.keylessRows ?? null,
  }
}
