import { MAX_LISTED_PARTS } from '../../../shared/reading'
import type { TableParts } from '../../../shared/schemas/connection'
import type { Origin } from '../../../shared/schemas/file'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import type { DocumentForm } from '../../../shared/table-forms'
import type { ScratchFile } from '../../storage/scratch-file'
import { limitBytes, peek } from '../fetch/body-limits'
import { compressionOf, decompress } from '../fetch/decompress'
import { FileError } from '../file-error'
import type { EncodingHints } from '../read/encoding/encoding'
import type { ProblemLog } from '../read/problems'
import { type Archive, type ArchiveEntry, openArchive, type RandomAccess } from './archive'
import { chooseMember, severalTables, withoutDescriptions } from './choose-member'
import { chooseSheets } from './choose-sheets'
import { isCompoundFile, refuseEncryptedWorkbook } from './compound-file'
import { openFlatOds } from './flat-ods'
import { joinSheets } from './join-sheets'
import { openOds } from './ods'
import { workbookFormOf } from './recognize'
import { recognizeText, type RecognizedText, type TextForm } from './recognize-text'
import { type DocumentSource, HEAD_BYTES as DOCUMENT_HEAD_BYTES } from './records/document-source'
import { hasRecords, openRecords, previewRecords } from './records/open-records'
import { openSpreadsheetMl } from './spreadsheetml'
import type { TableRows } from './table-rows'
import type { TextDocument } from './text-document'
import type { Workbook } from './workbook'
import { openXlsx } from './xlsx'

/** The table of a source, however it was packed. */
export interface OpenedTable {
  /** CSV as it was sent, or made of the rows of sheets. */
  body: AsyncIterable<Buffer>
  /** Whether the source is a container, which has been stored in a scratch file. */
  isContained: boolean
  /** The rows of sheets; undefined for CSV as it was sent. */
  rows?: TableRows
  /** In which encoding the source was read, if it was decoded for its rows. */
  encoding?: string
  origin?: Origin
  parts: TableParts
  /** Tells what the supplier should know of how the table was chosen, and of its rows so far. */
  report(problems: ProblemLog): void
}

interface TableChoice {
  reading: SourceReading
  /** Where the table of the file before was. */
  previous?: Origin | undefined
  /** Whether one file of several is shown although none is chosen, so that one can be. */
  isPreview: boolean
}

interface OpenOptions extends TableChoice {
  /** What is known of the encoding of a source that is a text. */
  hints?: EncodingHints
  /** Opens a scratch file for a container, a container in it, rows, or the texts of a workbook. */
  openScratch: (name: 'source' | 'member' | 'rows' | 'texts') => Promise<ScratchFile>
  /** The maximum size of the table. */
  maxBytes: number
  /** Called with the bytes of containers that have been stored and unpacked so far. */
  onUnpacked: (bytes: number) => void
}

/** What all parts of a container may have together, beside the table. */
const UNPACKED_PER_BYTE = 16
/** As many bytes as the longest signature has. */
const SIGNATURE_BYTES = 8
const ZIP_SIGNATURES = new Set(['PK\u0003\u0004', 'PK\u0005\u0006', 'PK\u0007\u0008'])
const NO_PARTS: TableParts = { sheets: [], members: [], records: [] }

const openWorkbookOf = { xlsx: openXlsx, ods: openOds }
const openTextOf = {
  // Loaded on demand, because it takes longer to load than a small file to read.
  html: async (document: TextDocument) => (await import('./html')).openHtml(document),
  spreadsheetml: openSpreadsheetMl,
  fods: openFlatOds,
}
const NO_HINTS: EncodingHints = { declared: null, previous: null }

/**
 * Finds the table in a source, by its content alone.
 * @param body the source, decompressed
 * @throws FileError here and while the table is read
 */
export async function openTable(
  body: AsyncIterable<Buffer>,
  options: OpenOptions,
): Promise<OpenedTable> {
  const { head, all } = await peek(body, SIGNATURE_BYTES)
  if (isZip(head)) {
    const archive = await storeArchive(all, 'source', options)
    const form = await workbookFormOf(archive)
    return form ? openParts(archive, form, options) : openMember(archive, options)
  }
  if (isCompoundFile(head)) return refuseCompoundFile(all, options)
  const text = await recognizeText(head, all)
  if (text.form === null) {
    return { body: text.all, isContained: false, parts: NO_PARTS, report: () => undefined }
  }
  return isDocument(text.form)
    ? openDocument(text.form, storedDocument(text, options), options)
    : openText(text.all, text.form, 'source', options)
}

const isDocument = (form: DocumentForm | TextForm): form is DocumentForm => !(form in openTextOf)

type PeekedText = Pick<RecognizedText, 'head' | 'all'>

/** A document that was fetched. It is stored while it is read, so that it can be read again. */
function storedDocument({ head, all }: PeekedText, options: OpenOptions): DocumentSource {
  let scratch: ScratchFile | undefined
  async function* storeAll() {
    scratch = await options.openScratch('source')
    let bytes = 0
    for await (const chunk of all) {
      await scratch.write(chunk)
      bytes += chunk.length
      options.onUnpacked(bytes)
      yield chunk
    }
  }
  const again = () => {
    if (!scratch) throw new Error('The document has not been read')
    return scratch.read()
  }
  return reopenedDocument({ head, all: options.isPreview ? all : storeAll() }, again, options)
}

const beginningOf = (
  { head }: Pick<PeekedText, 'head'>,
  { reading: { encoding } }: Pick<OpenOptions, 'reading'>,
) => ({
  head,
  isWhole: head.length < DOCUMENT_HEAD_BYTES,
  encoding,
})

/** A document that can be opened again. */
function reopenedDocument(
  { head, all }: PeekedText,
  reopen: () => AsyncIterable<Uint8Array>,
  options: Pick<OpenOptions, 'reading'>,
): DocumentSource {
  let isFirst = true
  return {
    ...beginningOf({ head }, options),
    read() {
      if (!isFirst) return reopen()
      isFirst = false
      return all
    },
  }
}

async function openDocument(
  form: DocumentForm,
  source: DocumentSource,
  { reading, previous, isPreview, maxBytes, openScratch }: OpenOptions,
  member: string | null = null,
): Promise<OpenedTable> {
  const choice = {
    chosen: reading.records,
    previous: previous?.form === form ? previous.records : null,
  }
  const { rows, place, parts, report } = isPreview
    ? await previewRecords(form, source, choice)
    : await openRecords(form, source, { ...choice, openScratch: () => openScratch('rows') })
  return {
    body: limitBytes(rows.read(), maxBytes),
    isContained: true,
    rows,
    ...(reading.encoding !== null && { encoding: reading.encoding }),
    origin: { form, sheets: [], member, records: place },
    parts: { ...NO_PARTS, records: parts },
    report(problems) {
      report(problems)
      rows.report(problems)
    },
  }
}

const isZip = (head: Buffer) => ZIP_SIGNATURES.has(head.toString('latin1', 0, 4))

/** Stores a container, of which parts are read in any order. */
async function store(
  body: AsyncIterable<Buffer>,
  name: 'source' | 'member',
  { openScratch, onUnpacked }: OpenOptions,
): Promise<RandomAccess> {
  const scratch = await openScratch(name)
  let sizeBytes = 0
  for await (const chunk of body) {
    await scratch.write(chunk)
    sizeBytes += chunk.length
    onUnpacked(sizeBytes)
  }
  return { readAt: scratch.readAt, sizeBytes }
}

async function storeArchive(
  body: AsyncIterable<Buffer>,
  name: 'source' | 'member',
  options: OpenOptions,
): Promise<Archive> {
  const file = await store(body, name, options)
  const archive = await openArchive(file, { maxBytes: UNPACKED_PER_BYTE * options.maxBytes })
  let bytes = file.sizeBytes
  return {
    entries: archive.entries,
    async *read(entry) {
      for await (const chunk of archive.read(entry)) {
        bytes += chunk.length
        options.onUnpacked(bytes)
        yield chunk
      }
    },
  }
}

/** @throws FileError for a workbook with a password, or of a program before 2007 */
async function refuseCompoundFile(
  body: AsyncIterable<Buffer>,
  options: OpenOptions,
): Promise<never> {
  const file = await store(body, 'source', options)
  await refuseEncryptedWorkbook(file)
  throw new FileError(
    'not-csv-spreadsheet',
    'The file is an Excel workbook of an old form (.xls). Save it as an Excel workbook (.xlsx), or as CSV UTF-8.',
  )
}

async function openMember(archive: Archive, options: OpenOptions): Promise<OpenedTable> {
  const { reading, isPreview } = options
  const entries =
    reading.member === null
      ? await withoutDescriptions(archive.entries, (entry) => hasRecordsIn(archive, entry, options))
      : archive.entries
  const chosen = chooseMember(entries, reading.member)
  const isUnclear = reading.member === null && chosen.candidates.length > 1
  if (isUnclear && !isPreview) throw severalTables(chosen)
  const members = chosen.candidates.slice(0, MAX_LISTED_PARTS).map((entry) => ({
    path: entry.path,
    sizeBytes: entry.sizeBytes,
    modifiedAt: entry.modifiedAt?.toISOString() ?? null,
  }))
  const table = await openEntry(archive, chosen.entry, options)
  return {
    ...table,
    parts: { ...table.parts, members },
    report(problems) {
      chosen.report(problems)
      table.report(problems)
    },
  }
}

/** Whether a file of an archive may be a table, as far as it is a document. */
async function hasRecordsIn(
  archive: Archive,
  entry: ArchiveEntry,
  options: OpenOptions,
): Promise<boolean> {
  const { head, all } = await peek(decompressed(archive.read(entry)), SIGNATURE_BYTES)
  const text = await recognizeText(head, all)
  await text.all.return(undefined)
  if (text.form === null || !isDocument(text.form)) return true
  return hasRecords(text.form, beginningOf(text, options))
}

async function openEntry(
  archive: Archive,
  entry: ArchiveEntry,
  options: OpenOptions,
): Promise<OpenedTable> {
  const { path } = entry
  const read = () => decompressed(archive.read(entry))
  const { head, all } = await peek(read(), SIGNATURE_BYTES)
  if (isZip(head)) return openNested(all, path, options)
  const text = await recognizeText(head, all)
  if (text.form !== null) {
    return isDocument(text.form)
      ? openDocument(text.form, reopenedDocument(text, read, options), options, path)
      : openText(text.all, text.form, 'member', options, path)
  }
  return {
    body: limitBytes(text.all, options.maxBytes),
    isContained: true,
    origin: { form: 'csv', sheets: [], member: path, records: null },
    parts: NO_PARTS,
    report: () => undefined,
  }
}

/** A file of an archive may be compressed itself. */
async function* decompressed(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { head, all } = await peek(bytes, SIGNATURE_BYTES)
  const compression = compressionOf(head)
  yield* compression === 'none' ? all : decompress(all, compression)
}

async function openNested(
  body: AsyncIterable<Buffer>,
  path: string,
  options: OpenOptions,
): Promise<OpenedTable> {
  const archive = await storeArchive(body, 'member', options)
  const form = await workbookFormOf(archive)
  if (form) return openParts(archive, form, options, path)
  throw new FileError(
    'archive-in-archive',
    `The file “${path}” of the archive is an archive itself. Send the table, or an archive that has it.`,
  )
}

async function openParts(
  archive: Archive,
  form: keyof typeof openWorkbookOf,
  options: OpenOptions,
  member: string | null = null,
): Promise<OpenedTable> {
  const { maxBytes, openScratch } = options
  const workbook = await openWorkbookOf[form](archive, { maxBytes, openScratch })
  return openWorkbook(workbook, { form, member }, options)
}

/** Opens a workbook that is a text. */
async function openText(
  body: AsyncIterable<Buffer>,
  form: TextForm,
  name: 'source' | 'member',
  options: OpenOptions,
  member: string | null = null,
): Promise<OpenedTable> {
  const { reading, hints = NO_HINTS, isPreview, maxBytes, openScratch, onUnpacked } = options
  const known = options.previous?.sheets ?? []
  const workbook = await openTextOf[form]({
    body,
    openScratch: (what) => openScratch(what === 'document' ? name : what),
    maxBytes,
    encoding: reading.encoding,
    hints,
    onRead: onUnpacked,
    ...(isPreview && {
      async isEnough(part) {
        const { isSure, isGuess } = await chooseSheets(part, reading.sheets, known)
        return isSure && !(isGuess && part.doubt)
      },
    }),
  })
  return openWorkbook(workbook, { form, member }, options)
}

async function openWorkbook(
  workbook: Workbook,
  { form, member }: Pick<Origin, 'form' | 'member'>,
  { reading, previous, isPreview, maxBytes }: OpenOptions,
): Promise<OpenedTable> {
  const chosen = await chooseSheets(workbook, reading.sheets, previous?.sheets ?? [])
  const { sheets } = chosen
  const doubt = chosen.isGuess ? workbook.doubt : undefined
  if (doubt && !isPreview) throw doubt
  const rows = joinSheets(workbook, sheets, reading)
  return {
    body: limitBytes(rows.read(), maxBytes),
    isContained: true,
    rows,
    ...(workbook.encoding !== undefined && { encoding: workbook.encoding }),
    origin: { form, sheets: sheets.map(({ name }) => name), member, records: null },
    parts: { sheets: workbook.sheets.slice(0, MAX_LISTED_PARTS), members: [], records: [] },
    report(problems) {
      if (doubt) problems.add(null, doubt.message, { setting: 'sheets' })
      workbook.report?.(problems)
      chosen.report(problems)
      rows.report(problems)
    },
  }
}
