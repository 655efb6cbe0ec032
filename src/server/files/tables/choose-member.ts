import { FileError } from '../file-error'
import type { ProblemLog } from '../read/problems'
import type { ArchiveEntry } from './archive'
import { createNameTest, listNames } from './names'

/** Which file of an archive is read. */
export interface ChosenMember {
  entry: ArchiveEntry
  /** The files that may be tables; more than one ask for a choice. */
  candidates: readonly ArchiveEntry[]
  report(problems: ProblemLog): void
}

/** Written by operating systems, by programs that pack, and by Excel beside an open book. */
const NOISE = /(?:^|\/)(?:__MACOSX\/|\.[^/]*$|~\$|Thumbs\.db$|desktop\.ini$)/i
/** What is sent beside a table: documents, images, programs, checksums. */
const NO_TABLE =
  /\.(?:pdf|docx?|rtf|odt|md|x?html?|jpe?g|png|gif|webp|svg|bmp|tiff?|mp4|mov|exe|dll|js|css|xsd|xsl|log|sig|asc|md5|sha\d*|sfv|eml|msg|pptx?)$/i
const DOCUMENT_NAME =
  /(?:^|\/)(?:read[-_ ]?me|lies[-_ ]?mich|lisez[-_ ]?moi|l[eé]a?me|leggimi|licen[cs]e|lizenz|terms|agb|changelog|manifest|filelist)[^/]*\.(?:txt|xml|json|html?)$/i
/** Pages stand beside a table to explain it, but programs also write tables as pages. */
const PAGE = /\.x?html?$/i

/** What may be described beside a table, or be the table itself: its content decides. */
const DOCUMENT = /\.(?:xml|json)$/i
/** Documents that are looked into. */
const MAX_DOCUMENTS = 20

/**
 * Leaves out documents without records, such as a description of the table beside them.
 * @param hasRecords tells whether a document has any
 */
export async function withoutDescriptions(
  entries: readonly ArchiveEntry[],
  hasRecords: (entry: ArchiveEntry) => Promise<boolean>,
): Promise<readonly ArchiveEntry[]> {
  const candidates = listCandidates(entries)
  if (candidates.length < 2) return entries
  const others = new Set<ArchiveEntry>()
  for (const entry of candidates
    .filter(({ path }) => DOCUMENT.test(path))
    .slice(0, MAX_DOCUMENTS)) {
    if (!(await hasRecords(entry))) others.add(entry)
  }
  return others.size < candidates.length ? entries.filter((entry) => !others.has(entry)) : entries
}

const listFiles = (entries: readonly ArchiveEntry[]) =>
  entries.filter(({ path }) => !path.endsWith('/') && !NOISE.test(path))

/** The files that may be tables; pages only if nothing else may be one. */
function listCandidates(entries: readonly ArchiveEntry[]): readonly ArchiveEntry[] {
  const files = listFiles(entries).filter(({ path }) => !DOCUMENT_NAME.test(path))
  const tables = files.filter(({ path }) => !NO_TABLE.test(path))
  return tables.length > 0 ? tables : files.filter(({ path }) => PAGE.test(path))
}

/**
 * Finds the table of an archive: the only one, or of those whose path fits the choice the newest.
 * @param chosen a path, in which `*` stands for any text
 * @throws FileError `wrong-choice` if nothing fits, `archive-without-table`
 */
export function chooseMember(
  entries: readonly ArchiveEntry[],
  chosen: string | null,
): ChosenMember {
  const files = listFiles(entries)
  const candidates = listCandidates(entries)
  if (chosen !== null) {
    const fits = createNameTest(chosen)
    const fitting = files.filter(({ path }) => fits(path) || fits(fileName(path)))
    const entry = newest(fitting)
    if (!entry) {
      throw new FileError(
        'wrong-choice',
        `No file of the archive fits the chosen “${chosen}”. It has ${listNames(files.map(({ path }) => path))}.`,
      )
    }
    return { entry, candidates, report: () => undefined }
  }
  const entry = newest(candidates)
  if (!entry) {
    throw new FileError(
      'archive-without-table',
      `The archive has no file that may be a table. It has ${listNames(files.map(({ path }) => path))}.`,
    )
  }
  return {
    entry,
    candidates,
    report(problems) {
      if (candidates.length === 1) return
      const others = candidates.filter((one) => one !== entry).map(({ path }) => path)
      problems.add(
        null,
        `“${entry.path}” is shown; the archive also has ${listNames(others)}. A sync reads none of them until one is chosen.`,
        { setting: 'member' },
      )
    },
  }
}

/** The error of a sync for an archive of which none is chosen. */
export function severalTables({ candidates }: ChosenMember): FileError {
  return new FileError(
    'several-tables',
    `The archive has several files that may be the table: ${listNames(candidates.map(({ path }) => path))}. Choose one of them in the preview.`,
  )
}

const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** By its time in the archive; of equal times the one whose path is last, because paths have dates too. */
function newest(entries: readonly ArchiveEntry[]): ArchiveEntry | undefined {
  const time = ({ modifiedAt }: ArchiveEntry) => modifiedAt?.getTime() ?? 0
  return entries.toSorted((one, other) => {
    const difference = time(other) - time(one)
    if (difference !== 0) return difference
    return other.path < one.path ? -1 : 1
  })[0]
}
