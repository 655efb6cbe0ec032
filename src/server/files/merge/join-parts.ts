import { foldName } from '../../../shared/categories'
import { HEAD_COLUMNS } from '../../../shared/constants'
import type { JoinChoices, JoinCounts } from '../../../shared/schemas/overlay'
import { atAddress } from '../at-address'
import { FileError } from '../file-error'
import { MAX_KEYED_ROWS } from '../keys/key-file'
import { createStoredRows, displayNames } from '../keys/stored-rows'
import { textInsteadOfTable } from '../read/dialect/sniff'
import type { ProblemLog } from '../read/problems'
import { keyedPart, type Part, type PartDraft } from './ingest-part'
import { type JoinedColumns, planJoin, withoutKey } from './join-plan'
import { createMerge } from './merge-files'
import type { MergePlan } from './merge-plan'
import { requireUniqueKeys } from './unique-keys'

/** A file and its overlay, which have been read and can be joined. */
export interface Join {
  /** The joined file. */
  read(): AsyncGenerator<Buffer>
  /** Finds what would come of it, and writes nothing. */
  count(): Promise<void>
  /**
   * What came of the rows that were read or counted.
   * @throws FileError `join-keys` if no row of the one belongs to one of the other
   */
  counts(): JoinCounts
  /** The columns of the file that the overlay replaces, the first of them. */
  replaced: string[]
  /** Tells what the supplier should know of it. */
  report(problems: ProblemLog): void
}

/**
 * Joins the rows of an overlay to those of a file, by their keys.
 * @throws FileError `join-keys` or `join-columns` for files that cannot be joined
 */
export async function joinParts<D extends PartDraft>(
  file: Part<D>,
  overlay: Part<D>,
  choices: JoinChoices,
  signal: AbortSignal,
): Promise<Join> {
  const own = { header: await readHeader(file), keyColumn: file.keys?.facts.column ?? '' }
  await atAddress('first', async () => requireKeys(file, own))
  const keyColumn = overlay.keys?.facts.column ?? ''
  const other = { header: await readHeader(overlay), keyColumn }
  await atAddress('second', async () => requireKeys(overlay, other, own))
  const plan = await atAddress('second', async () => planJoin(own, other, choices))
  const merge = createMerge({ base: keyedPart(file), update: keyedPart(overlay) }, plan, signal)
  return {
    read: () => merge.read(),
    count: () => merge.count(),
    counts() {
      const { same, changed, added } = merge.tally()
      const joined = same + changed
      if (joined === 0) throw nothingJoined(own, other)
      return {
        joined,
        onlyInFile: {
          rows: file.report.rowCount - joined,
          isKept: choices.onlyInFile === 'keep',
        },
        onlyInOverlay: { rows: added, isKept: choices.onlyInOverlay === 'keep' },
      }
    },
    replaced: listReplaced(own, plan),
    report(problems) {
      const unnamed = other.header.filter((name) => name.trim() === '').length
      if (unnamed > 0) {
        const text = 'Columns of the second address without a name were left out.'
        problems.add(null, text, { count: unnamed })
      }
      if (foldName(own.keyColumn) === foldName(other.keyColumn)) return
      problems.add(
        null,
        `Rows are joined by “${own.keyColumn}” of the first address and “${other.keyColumn}” of the second.`,
      )
    },
  }
}

function listReplaced({ header }: JoinedColumns, { places, key }: MergePlan): string[] {
  const isReplaced = (_: string, column: number) => column !== key.base && places[column] !== -1
  return displayNames(header).filter(isReplaced).slice(0, HEAD_COLUMNS)
}

const readHeader = <D extends PartDraft>({ draft }: Part<D>) =>
  createStoredRows(draft.readAt).header()

/**
 * @param first the columns of the file that it is joined to, for an overlay
 * @throws FileError for a file that cannot be joined by its keys
 */
function requireKeys<D extends PartDraft>(
  { report: { rowCount, dialect }, keys }: Part<D>,
  { header }: JoinedColumns,
  first?: JoinedColumns,
): void {
  if (!dialect.hasHeader) {
    const text = 'The file has no header, but its columns are found by their names.'
    throw new FileError('join-columns', text)
  }
  if (rowCount === 0) throw new FileError('no-rows', 'The file has a header but no rows.')
  if (!keys && rowCount <= MAX_KEYED_ROWS) {
    if (header.length === 1) throw textInsteadOfTable(displayNames(header))
    if (first) throw withoutKey(first.keyColumn, displayNames(header))
  }
  requireUniqueKeys({ rowCount, ...(keys?.facts ?? { column: null }) }, WORDS)
}

const WORDS = { code: 'join-keys', what: 'The file cannot be joined', use: 'joined' } as const

const nothingJoined = (file: JoinedColumns, overlay: JoinedColumns) =>
  new FileError(
    'join-keys',
    `No row at the second address has a key, in “${overlay.keyColumn}”, that a row of the first has, in “${file.keyColumn}”. Check that both have the same keys, written alike.`,
  )
