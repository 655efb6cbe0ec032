import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import { isSameCell, readCell } from '../../../files/comparison/cell-pairs'
import { createChangedRows } from '../../../files/comparison/changed-rows'
import { pairColumns } from '../../../files/comparison/column-pairs'
import { readRows } from '../../../files/comparison/read-rows'
import { writeComparison } from '../../../files/comparison/write-comparison'
import { writeDelta } from '../../../files/delta'
import { findGone } from '../../../files/gone/find-gone'
import { createGoneList, readGoneItem } from '../../../files/gone/gone-list'
import { createItemSorter } from '../../../files/gone/item-keys'
import { compareColumns } from '../../../files/keys/column-changes'
import { compareFiles } from '../../../files/keys/compare-files'
import { createDistinctRecords } from '../../../files/keys/distinct-records'
import { createHasher } from '../../../files/keys/hash-bytes'
import { createRowHasher } from '../../../files/keys/hash-row'
import { createKeyReader } from '../../../files/keys/key-cell'
import { createKeyFile } from '../../../files/keys/key-file'
import { keyOutput } from '../../../files/keys/key-output'
import { createKeyQuantity, settleQuantity } from '../../../files/keys/key-quantity'
import { createRecordBlock } from '../../../files/keys/key-records'
import { createKeyRows } from '../../../files/keys/key-rows'
import { createRecordReader } from '../../../files/keys/record-reader'
import { sortRecords } from '../../../files/keys/sort-records'
import { createRowScanner, createStoredRows, displayNames } from '../../../files/keys/stored-rows'
import { createComparisonTally } from '../../../files/keys/tally-comparison'
import { createMarkSkipper } from '../../../files/read/encoding/byte-order-mark'
import { scanCanonical } from '../../../files/read/table/scan-canonical'
import { findGonePlaces, goneCells } from '../../../files/shop-formats/gone-rows'
import { findKeyPlace } from '../../../files/shop-formats/key-place'
import { layOut } from '../../../files/shop-formats/layout'
import { inChunks } from '../../fixtures/file-fixtures'
import { createMemoryKeyDraft, ingestKeyed, NO_ROLES, readFrom } from '../../fixtures/key-files'
import { type GrowthCase, exempt, file, texts } from './case'
import { eachRow, unlessRefusedLater } from './rows'

/** As many as a list of changes reads. */
const ROWS_AT_ONCE = 1_024
const { signal } = new AbortController()
const QUANTITIES = { place: () => 1, styleAt: () => 'comma' as const }
const ROLES = { ...NO_ROLES, sku: 'a', quantity: 'b' }
const NOTHING = { start: 0, end: 0 }
const ONE_RECORD = 'handles one record'

/** A list of gone items, which are all still gone. */
const B_READING = { column: 'b', pathSeparator: '>', listSeparator: ',' } as const

async function findAllGone(bytes: Buffer) {
  const made = await unlessRefusedLater(ingestKeyed(bytes, { roles: ROLES }))
  if (!made?.facts) return undefined
  const toSource = (content: Buffer) => ({
    read: () => inChunks(content),
    readAt: readFrom(content),
  })
  const sources = {
    older: {
      file: toSource(Buffer.from(made.text)),
      keys: { readAt: readFrom(made.keys), bytes: made.keys.length },
      gone: toSource(bytes),
    },
    newer: {
      readAt: readFrom(Buffer.alloc(0)),
      bytes: 0,
      rows: { ...toSource(Buffer.from('a,b\r\n')), categoryReading: B_READING },
    },
  }
  const options = {
    keyColumn: made.facts.column,
    roles: ROLES,
    categoryReading: B_READING,
    now: 0,
    openDraft: async () => createMemoryKeyDraft(),
    signal,
  }
  return unlessRefusedLater(findGone(sources, options, async () => undefined))
}

async function compare(bytes: Buffer) {
  const made = await unlessRefusedLater(ingestKeyed(bytes, { roles: ROLES, runRecords: 1_000 }))
  if (!made?.facts) return undefined
  const empty = { ...made.file, keysBytes: 0 }
  const options = {
    keyColumn: made.facts.column,
    hasQuantities: true,
    comparesColumns: true,
    signal,
  }
  return compareFiles({ older: empty, newer: made.file }, options)
}

/** All rows of a file against none. */
async function listChanges(bytes: Buffer) {
  const made = await unlessRefusedLater(ingestKeyed(bytes, { roles: ROLES, runRecords: 1_000 }))
  if (!made?.facts) return undefined
  const files = { older: { ...made.file, keysBytes: 0 }, newer: made.file }
  const options = { keyColumn: made.facts.column, signal }
  return writeComparison(files, options, async () => undefined)
}

const toOwnFormat = () => ({
  profile: shopFormatSchema.parse({ kind: 'own', skuPrefix: 'x', buffer: 1 }),
  policy: columnPolicySchema.parse({}),
  quantityColumn: null,
  isNdjson: false,
})

/** Records with keys that are alike. */
function fillRecords(bytes: Buffer) {
  const records = Math.floor(bytes.length / 32)
  const block = createRecordBlock(records)
  new Uint8Array(block.words.buffer).set(bytes.subarray(0, 32 * records))
  return { block, records }
}

/** Cases by file below `server/files` and export. */
export const keyCases: Record<string, Record<string, GrowthCase>> = {
  'keys/compare-files': {
    compareFiles: file(compare),
    readPairs: exempt('called by compareFiles, which is measured'),
  },
  'comparison/cell-pairs': {
    readCell: file((bytes) => eachRow(bytes, () => (batch) => void readCell(batch, 0))),
    isSameCell: file((bytes) => {
      const column = { name: 'a', older: 0, newer: 0 }
      eachRow(bytes, () => (batch) => void isSameCell(column, { older: batch, newer: batch }))
    }),
  },
  'comparison/changed-rows': {
    createChangedRows: file((bytes) => {
      const { block, records } = fillRecords(bytes)
      const rows = createChangedRows()
      for (let record = 0; record < records; record++) {
        const reader = { ...createRecordReader(readFrom(bytes), NOTHING, 1), block }
        rows.pair({ ...reader, record: () => record }, null)
      }
      rows.sort()
      return [...rows.list()].length
    }),
  },
  'comparison/column-pairs': { pairColumns: texts((names) => pairColumns(names, names, 'a')) },
  'comparison/read-rows': {
    readRows: file(async (bytes) => {
      for (let from = 0; from < bytes.length; from += ROWS_AT_ONCE) {
        const length = Math.min(ROWS_AT_ONCE, bytes.length - from)
        const spans = Array.from({ length }, (_, index) => ({ offset: from + index, length: 1 }))
        await readRows(readFrom(bytes), spans)
      }
    }),
  },
  'comparison/write-comparison': { writeComparison: file(listChanges) },
  'keys/column-changes': {
    createChangeSample: exempt(ONE_RECORD),
    compareColumns: file((bytes) => {
      const files = { older: readFrom(bytes), newer: readFrom(bytes) }
      const span = { offset: 0, length: Math.max(0, bytes.indexOf('\n')) }
      const rows = [{ older: span, newer: span }]
      // The first line is a row only where it has no quotes or other line ends.
      return compareColumns(files, { rows, isWhole: true }).catch(() => undefined)
    }),
  },
  'keys/distinct-records': {
    createDistinctRecords: file(async (bytes) => {
      const { block, records } = fillRecords(bytes)
      const output = createDistinctRecords(async () => undefined)
      for (let record = 0; record < records; record++) {
        output.add(block, record)
        if (output.isFull()) await output.flush()
      }
    }),
  },
  'keys/hash-bytes': {
    createHasher: file((bytes) => createHasher()(bytes, 0, bytes.length, new Uint32Array(2), 0)),
  },
  'keys/key-cell': {
    createKeyReader: file((bytes) =>
      eachRow(bytes, () => {
        const read = createKeyReader(0)
        return (batch, record) => read(batch, record)
      }),
    ),
  },
  'keys/key-file': {
    createKeyFile: file(async (bytes) => {
      const openDraft = async () => createMemoryKeyDraft()
      const keys = createKeyFile({ roles: ROLES, stockTexts: [], openDraft, runRecords: 1_000 })
      await keys.finish(async () => undefined)
      return unlessRefusedLater(ingestKeyed(bytes, { roles: ROLES, runRecords: 1_000 }))
    }),
  },
  'keys/key-output': {
    keyOutput: file((bytes) => {
      const openDraft = async () => createMemoryKeyDraft()
      const options = { delimiter: ',', keyPlace: 0, openDraft, signal } as const
      return unlessRefusedLater(keyOutput(inChunks(bytes), options))
    }),
  },
  'keys/hash-row': {
    createRowHasher: file((bytes) =>
      eachRow(bytes, () => {
        const hash = createRowHasher(',')
        const target = new Uint32Array(2)
        return (batch, record) => {
          const [start = 0, end = 0] = [batch.starts[record], batch.ends[record]]
          const row = { bytes: batch.bytes, start, end, offset: 0, isCanonical: false }
          hash(batch, record, row, target, 0)
        }
      }),
    ),
    withoutLineEnd: exempt(ONE_RECORD),
  },
  'keys/row-places': { createRowPlaces: exempt(ONE_RECORD) },
  'gone/find-gone': { findGone: file(findAllGone) },
  'gone/item-keys': {
    createItemSorter: file(async (bytes) => {
      const openDraft = async () => createMemoryKeyDraft()
      const sorter = createItemSorter({ openDraft, signal })
      const rows = { read: () => inChunks(bytes) }
      const columns = { keyColumn: 'a', categoryReading: B_READING }
      await unlessRefusedLater(sorter.fileByCategory(rows, columns))
      await unlessRefusedLater(sorter.listByCategory(rows, B_READING))
      return sorter.close()
    }),
  },
  'gone/gone-list': {
    createGoneList: texts((parts) => {
      const list = createGoneList(async () => undefined)
      for (const key of parts)
        list.add({ key, category: key, separators: null, barcode: key, leftAt: 0 })
      return list.flush()
    }),
    readGoneItem: file((bytes) => eachRow(bytes, () => readGoneItem)),
    isExpired: exempt('takes a number'),
  },
  'shop-formats/gone-rows': {
    findGonePlaces: texts((names) => {
      const format = toOwnFormat()
      return findGonePlaces(names, layOut(names, format), format, 'a')
    }),
    goneCells: texts((names) => {
      const places = { key: 0, quantity: 1, barcode: 2 }
      const item = { key: names[0] ?? '', barcode: '' }
      return goneCells(layOut(names, toOwnFormat()), places, item, 'x')
    }),
  },
  'read/encoding/byte-order-mark': {
    createMarkSkipper: file((bytes) => {
      const mark = createMarkSkipper()
      return [...bytes].map((byte) => mark.read(Buffer.of(byte)).length)
    }),
  },
  'read/table/scan-canonical': {
    scanCanonical: file(async (bytes) => {
      let records = 0
      const scan = async () => {
        for await (const batch of scanCanonical(inChunks(bytes), signal)) records += batch.count
      }
      await unlessRefusedLater(scan())
      return records
    }),
  },
  'shop-formats/key-place': { findKeyPlace: texts((names) => findKeyPlace(names, 'a', null)) },
  delta: {
    writeDelta: file((bytes) => {
      const openDraft = async () => createMemoryKeyDraft()
      const toSource = (content: Buffer) => ({
        read: () => inChunks(content),
        readAt: readFrom(content),
      })
      const options = { delimiter: ',', keyPlace: 0, openDraft, signal } as const
      const header = bytes.subarray(0, bytes.indexOf('\n') + 1)
      const sources = { older: toSource(header), newer: toSource(bytes) }
      return unlessRefusedLater(writeDelta(sources, options, async () => undefined))
    }),
  },
  'keys/key-quantity': {
    createKeyQuantity: file((bytes) =>
      eachRow(bytes, () => {
        const read = createKeyQuantity([])
        return (batch, record) => settleQuantity(read(batch, record, 1), 'comma')
      }),
    ),
    settleQuantity: exempt('takes a number'),
  },
  'keys/key-records': {
    createRecordBlock: exempt('takes a number'),
    putSpan: exempt(ONE_RECORD),
    readSpan: exempt(ONE_RECORD),
    putSpanAt: exempt(ONE_RECORD),
    readSpanAt: exempt(ONE_RECORD),
    readQuantityOf: exempt(ONE_RECORD),
    compareKeys: exempt(ONE_RECORD),
    approximateKey: exempt(ONE_RECORD),
    isSameRow: exempt(ONE_RECORD),
  },
  'keys/key-rows': {
    createKeyRows: file((bytes) =>
      eachRow(bytes, (columns) => {
        const rows = createKeyRows(columns, QUANTITIES, { roles: ROLES, stockTexts: [] })
        return (batch, record) =>
          rows?.add(batch, record, {
            bytes: batch.bytes,
            start: 0,
            end: 0,
            offset: 0,
            isCanonical: false,
          })
      }),
    ),
  },
  'keys/merge-runs': { mergeRuns: exempt('called by createKeyFile, which is measured') },
  'keys/pair-keys': { pairKeys: exempt('called by compareFiles, which is measured') },
  'keys/record-reader': { createRecordReader: exempt('called by compareFiles, which is measured') },
  'keys/sort-records': {
    sortRecords: file((bytes) => {
      const { block, records } = fillRecords(bytes)
      return sortRecords(block, records)
    }),
  },
  'keys/stored-rows': {
    createStoredRows: file((bytes) => {
      const rows = createStoredRows(readFrom(bytes))
      return unlessRefusedLater(rows.header())
    }),
    createRowScanner: file((bytes) => {
      try {
        createRowScanner()(bytes)
      } catch {
        // Only the first line may be a row.
      }
    }),
    displayNames: texts(displayNames),
  },
  'keys/tally-comparison': {
    createComparisonTally: file((bytes) => {
      createComparisonTally(true)
      return compare(bytes)
    }),
  },
}
