import { AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import { hashBytes } from '../../feed/keys/hash-bytes'
import { createRecords, sortRecords } from '../../feed/keys/key-records'
import { createRecordWriter } from '../../feed/keys/key-rows'
import { writeKeys } from '../../feed/keys/write-keys'
import { inChunks } from '../feed-fixtures'
import { type GrowthCase, exempt, file } from './case'
import { eachRow, unlessRefusedLater } from './rows'

const { signal } = new AbortController()
const FIXED_RECORDS = 'takes records of a fixed size, each once'
const WRITES = 'is measured with writeKeys'

function collectKeys(bytes: Buffer) {
  const write = async () => undefined
  // Rows of two columns, so that there are keys whatever the file is.
  const source = Buffer.concat([Buffer.from('sku,stock\n'), bytes])
  const openSpill = () => Promise.reject(new Error('No part is full'))
  const options = { roles: AUTOMATIC_ROLES, openSpill, signal }
  return unlessRefusedLater(writeKeys(inChunks(source), { write }, options))
}

/** Keys that are equal, and keys that are equal in the bits that are sorted first. */
function sortEqual(bytes: Buffer) {
  const count = Math.min(bytes.length, 200_000)
  const records = createRecords(count)
  for (let at = 0; at < count; at++) records.words[8 * at + 1] = (bytes[at] ?? 0) & 0xff
  return sortRecords(records, count)
}

/** Cases by file below `server/feed` and export. */
export const keyCases: Record<string, Record<string, GrowthCase>> = {
  'keys/compare-keys': { compareKeyFiles: exempt(FIXED_RECORDS) },
  'keys/describe-difference': { describeDifference: exempt('reads at most eighty rows') },
  'keys/file-keys': { createKeyRows: exempt(WRITES) },
  'keys/hash-bytes': {
    hashBytes: file((bytes) => hashBytes(bytes, 0, bytes.length, new Uint32Array(2), 0)),
  },
  'keys/key-collector': { createKeyCollector: exempt(WRITES) },
  'keys/key-records': {
    compareKeys: exempt(FIXED_RECORDS),
    copyRecord: exempt(FIXED_RECORDS),
    createRecords: exempt(FIXED_RECORDS),
    hasSameRow: exempt(FIXED_RECORDS),
    placeOf: exempt(FIXED_RECORDS),
    quantityOf: exempt(FIXED_RECORDS),
    sortRecords: file(sortEqual),
  },
  'keys/key-rows': {
    createRecordWriter: file((bytes) => {
      const write = createRecordWriter(0, 1)
      const records = createRecords(1)
      return eachRow(
        bytes,
        () => (batch, record) => write(records, 0, { batch, record, offset: 0 }),
      )
    }),
  },
  'keys/key-runs': { openRun: exempt(FIXED_RECORDS) },
  'keys/stored-rows': { openStoredRows: exempt('reads single rows of a limited size') },
  'keys/write-keys': { writeKeys: file(collectKeys) },
}
