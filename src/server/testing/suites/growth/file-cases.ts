import { AUTOMATIC_READING } from '../../../../shared/automatic-reading'
import { browseFile } from '../../../files/browse'
import { createCanonicalWriter } from '../../../files/canonical-writer'
import { compressBytes } from '../../../files/compress'
import { explainRefusal } from '../../../files/explain-refusal'
import { FileError } from '../../../files/file-error'
import { filterFile } from '../../../files/filter'
import { ingestFile } from '../../../files/ingest'
import { createIntake } from '../../../files/intake'
import { previewFile } from '../../../files/preview'
import { findDialect, readDialect } from '../../../files/read/dialect/chosen-dialect'
import { detectDialect } from '../../../files/read/dialect/dialect'
import { countPreamble, offsetOfLine, toFirstLine } from '../../../files/read/dialect/preamble'
import { createCharsetEvidence } from '../../../files/read/encoding/charset-evidence'
import { findDeclaredCharset, guessCharset } from '../../../files/read/encoding/charset-guess'
import { CHARSETS, decodeText, listCharacters } from '../../../files/read/encoding/charsets'
import {
  createChosenEncoding,
  toChosenEncoding,
} from '../../../files/read/encoding/chosen-encoding'
import { createDecoder } from '../../../files/read/encoding/decode'
import {
  createEncodingDetector,
  findByteOrderMark,
  incompleteTailLength,
  validSequenceLength,
} from '../../../files/read/encoding/encoding'
import { createSingleByteConverter } from '../../../files/read/encoding/single-byte'
import { createProblemLog } from '../../../files/read/problems'
import { AUTOMATIC_NUMBERS } from '../../../files/read/quantities/quantity-column'
import { createGrowableBuffer } from '../../../files/read/scan/growable-buffer'
import {
  createEndOfFileFilter,
  withoutNuls,
  withoutPadding,
} from '../../../files/read/scan/padding'
import {
  cellKind,
  cellLength,
  cellStart,
  cellText,
  isBlankLine,
  listCells,
  QUOTINGS,
} from '../../../files/read/scan/scan'
import { createTable } from '../../../files/read/table/table'
import { createTableReader, splitChunk } from '../../../files/read/table/table-reader'
import { rewriteSource } from '../../../files/rewrite'
import { createMemoryDrafts, inChunks } from '../../fixtures/file-fixtures'
import { type GrowthCase, exempt, file, texts } from './case'
import { eachRow, unlessRefused, unlessRefusedLater } from './rows'

const { signal } = new AbortController()
const READING = { column: 'category', pathSeparator: '>', listSeparator: ',' } as const
const CHOICES = { categories: READING, quantities: { column: 'b', ...AUTOMATIC_NUMBERS } }
const utf8 = { name: 'utf-8', bomLength: 0, hasStrayBytes: false }
const CHOSEN = { ...AUTOMATIC_READING, delimiter: ';', skipLines: 2 } as const
const NO_TEXT = 'takes no text'

async function inspect(bytes: Buffer) {
  const intake = createIntake(CHOICES)
  for (const piece of splitChunk(bytes)) await intake.push(piece)
  return intake.finish()
}

function ingest(bytes: Buffer, chunkBytes?: number) {
  const { open: openDraft } = createMemoryDrafts()
  const options = { openDraft, compression: 'none', categoryReading: null, signal } as const
  return unlessRefusedLater(
    ingestFile(inChunks(bytes, chunkBytes), options).then(({ report }) => report),
  )
}

async function rewrite(bytes: Buffer) {
  const dialect = detectDialect(bytes, true)
  const view = {
    encoding: { ...utf8, hasStrayBytes: true },
    dialect,
    hasQuotes: true,
    hasApostrophes: true,
    hasBackslashes: true,
    reading: AUTOMATIC_READING,
  }
  const work = rewriteSource(inChunks(bytes), {
    view,
    quoting: 'relaxed',
    strictFailure: undefined,
    choices: CHOICES,
    signal,
    write: async () => {},
    onRows: () => {},
  })
  return unlessRefusedLater(work)
}

function readTable(bytes: Buffer) {
  const reading = { encoding: utf8, dialect: detectDialect(bytes, true), quoting: 'none' } as const
  const sink = { start() {}, row() {} }
  return unlessRefused(() => {
    const reader = createTableReader(reading, createProblemLog(), sink)
    for (const piece of splitChunk(bytes)) reader.push(piece)
    reader.end()
  })
}

/** Cases by file below `src/server/files` and export. */
export const fileCases: Record<string, Record<string, GrowthCase>> = {
  'yield-to-event-loop': { createYielder: exempt(NO_TEXT) },
  'canonical-writer': {
    createCanonicalWriter: file(async (bytes) => {
      const writer = createCanonicalWriter(async () => {})
      eachRow(
        bytes,
        ({ length }) =>
          (batch, record) =>
            writer.row(batch, record, length),
      )
      await writer.flush()
    }),
  },
  'fetch/connect-failure': {
    describeConnectFailure: exempt('reads error codes of Node'),
    describeTransferFailure: exempt('reads error codes of Node'),
  },
  'fetch/post-json': { createJsonPoster: exempt('sends what the server has composed') },
  'explain-refusal': {
    explainRefusal: file((bytes) =>
      Promise.all(
        QUOTINGS.map((quoting) => {
          const format = { encoding: utf8, dialect: detectDialect(bytes, true), quoting }
          const error = new FileError('ragged-row', 'Line 3 is too long.', { line: 3 })
          return explainRefusal(error, format, { bytes: splitChunk(bytes), isWhole: true })
        }),
      ),
    ),
  },
  'read/encoding/decode': {
    createDecoder: file((bytes) => {
      for (const name of [
        'utf-8',
        'windows-1250',
        'utf-16le',
        'shift_jis',
        'iso-2022-jp',
        'iso-2022-kr',
      ]) {
        const encoding = { name, bomLength: 0, hasStrayBytes: name === 'utf-8' }
        const decoder = createDecoder(encoding, createProblemLog())
        for (const piece of splitChunk(bytes)) decoder.decode(piece)
        decoder.end()
      }
    }),
  },
  'read/encoding/charset-evidence': {
    createCharsetEvidence: file((bytes) => {
      const evidence = createCharsetEvidence()
      for (const piece of splitChunk(bytes)) evidence.add(piece)
      return evidence.cells(true)
    }),
  },
  'read/encoding/charset-guess': {
    findDeclaredCharset: file((bytes) => findDeclaredCharset('koi8-r', [bytes.subarray(0, 8_192)])),
    // More than evidence ever holds.
    guessCharset: file((bytes) => guessCharset([bytes.subarray(0, 8_192)])),
  },
  'read/encoding/charsets': {
    findCharset: exempt('looks up a name of at most 40 characters'),
    createCharsetDecoder: exempt('chooses a library; decoding is measured with read/decode'),
    decodeText: file((bytes) => CHARSETS.map(({ name }) => decodeText(name, bytes))),
    listCharacters: exempt('decodes 256 bytes'),
  },
  'read/encoding/single-byte': {
    createSingleByteConverter: file((bytes) =>
      createSingleByteConverter(listCharacters('windows-1252') ?? [])(bytes),
    ),
    isAsciiWord: exempt('looks at four bytes'),
  },
  'read/dialect/chosen-dialect': {
    readDialect: file((bytes) => unlessRefused(() => readDialect(bytes, true, CHOSEN))),
    findDialect: file((bytes) =>
      findDialect(bytes, true, CHOSEN, detectDialect(bytes, true, { delimiter: ';' })),
    ),
  },
  'read/encoding/chosen-encoding': {
    toChosenEncoding: file((bytes) => unlessRefused(() => toChosenEncoding('utf-16le', bytes))),
    createChosenEncoding: file((bytes) =>
      unlessRefused(() => {
        const detector = createChosenEncoding('utf-16le')
        for (const piece of splitChunk(bytes)) detector.push(piece)
      }),
    ),
    notUtf8: exempt('composes a message of a number'),
  },
  'read/dialect/chosen-quoting': {
    quotingsFor: exempt(NO_TEXT),
    styleOf: exempt(NO_TEXT),
    enclosesCells: exempt(NO_TEXT),
  },
  'read/dialect/name-choices': { nameChoices: exempt('joins messages, which are bounded') },
  'read/dialect/dialect': {
    detectDialect: file((bytes) => detectDialect(bytes, true)),
  },
  'read/scan/padding': {
    withoutNuls: file(withoutNuls),
    withoutPadding: file((bytes) => withoutPadding(bytes, true)),
    createEndOfFileFilter: file((bytes) => {
      const filter = createEndOfFileFilter()
      for (let at = 0; at < bytes.length; at += 7) filter.push(bytes.subarray(at, at + 7))
      for (const piece of splitChunk(Buffer.alloc(bytes.length, 0x1a))) filter.push(piece)
      return filter.hasFound()
    }),
  },
  'read/dialect/preamble': {
    countPreamble: texts((cells) => countPreamble([cells, cells.slice(0, 1), cells, cells, cells])),
    offsetOfLine: file((bytes) => offsetOfLine(bytes, bytes.length)),
    reportSkippedLines: exempt('composes a message of a dialect'),
    toFirstLine: file(toFirstLine),
  },
  'read/encoding/encoding': {
    createEncodingDetector: file(async (bytes) => {
      const detector = createEncodingDetector()
      for (const piece of splitChunk(bytes)) detector.push(piece)
      return [detector.isUtf8(), await detector.detect(true), detector]
    }),
    findByteOrderMark: file(findByteOrderMark),
    incompleteTailLength: file(incompleteTailLength),
    validSequenceLength: file((bytes) => validSequenceLength(bytes, 0)),
  },
  filter: {
    filterFile: file((bytes) => {
      const options = {
        categoryReading: READING,
        categories: ['a > b', 'w1'],
        format: null,
        signal,
      }
      return unlessRefusedLater(filterFile(inChunks(bytes), options, async () => {}))
    }),
  },
  compress: {
    compressBytes: file((bytes) =>
      compressBytes(inChunks(bytes), { coding: 'br', signal }, async () => {}),
    ),
  },
  browse: {
    browseFile: file((bytes) => {
      const from = { offset: 0, row: 0 }
      const search = { delimiter: ',', query: 'W1', maxRows: 50, maxBytes: bytes.length } as const
      const columns = ['a', 'b', 'c']
      return unlessRefusedLater(browseFile(inChunks(bytes), { columns, from, ...search, signal }))
    }),
  },
  'read/scan/growable-buffer': {
    createGrowableBuffer: file((bytes) => {
      const buffer = createGrowableBuffer()
      for (let at = 0; at < bytes.length; at += 3) buffer.append(bytes.subarray(at, at + 3))
      return buffer
    }),
  },
  ingest: { ingestFile: file((bytes) => ingest(bytes)) },
  intake: {
    createIntake: file((bytes) => unlessRefusedLater(inspect(bytes))),
  },
  preview: {
    previewFile: file((bytes) => unlessRefusedLater(previewFile(inChunks(bytes, 999), 'none'))),
  },
  rewrite: { rewriteSource: file(rewrite) },
  'read/scan/scan': {
    cellCount: exempt('subtracts two numbers'),
    listCells: file((bytes) => eachRow(bytes, () => listCells)),
    cellText: file((bytes) => eachRow(bytes, () => (batch, record) => cellText(batch, record, 1))),
    cellStart: file((bytes) =>
      eachRow(bytes, () => (batch, record) => cellStart(batch, record, 1, 200)),
    ),
    cellLength: file((bytes) =>
      eachRow(bytes, () => (batch, record) => cellLength(batch, record, 1)),
    ),
    cellKind: file((bytes) => eachRow(bytes, () => (batch, record) => cellKind(batch, record, 1))),
    isBlankLine: file((bytes) => eachRow(bytes, () => isBlankLine)),
  },
  'read/table/reserved-name': {
    renameReservedColumns: file((bytes) =>
      readTable(Buffer.from(bytes.toString('latin1').replaceAll(/[a-z]+/g, '_change'))),
    ),
    headerBytes: exempt('copies one record'),
    withNewNames: exempt('compares each name with one text'),
  },
  'read/table/row-width': {
    createWidthCheck: exempt('called for each row by createTable, which is measured'),
  },
  'read/table/line-ends': {
    createLineEndCheck: exempt('called for each row by createTable, which is measured'),
  },
  'read/table/table': {
    createTable: file((bytes) => {
      eachRow(bytes, () => () => {})
      return createTable
    }),
  },
  'read/table/table-reader': {
    createTableReader: file(readTable),
    splitChunk: exempt('splits by length only'),
    listQuotings: exempt(NO_TEXT),
    tryQuotings: exempt('called in all ways by ingestFile, which is measured'),
    reportQuotes: exempt(NO_TEXT),
  },
}
