import { AUTOMATIC_READING } from '../../../shared/automatic-reading'
import type { FileProblem } from '../../../shared/schemas/file'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import { FileError } from '../../files/file-error'
import { findFirstWrong, type TrueTable } from './compare-records'
import { ingestForeign, previewForeign } from './foreign-files'

/** A file of XML, JSON or HTML, with what a reader has to find in it: tools/foreign-tables/write-records.py. */
export interface ForeignRecords {
  name: string
  kind: string
  family: string
  /** Whether it belongs to the half that is only counted. */
  isHeldOut: boolean
  /** Whether nobody can know without asking: it may be refused, but not read otherwise. */
  isAmbiguous: boolean
  /** Each is right; none if the file has to be refused. */
  tables: TrueTable[]
}

/** What a reader has to do with a file. */
export interface Expected {
  /** Otherwise it has to be refused. */
  hasTable: boolean
  /** Whether it may be refused, but not read otherwise. */
  isAmbiguous: boolean
  /** What is wrong in the rows that were read, the header first; null if nothing is. */
  findWrong: (rows: string[][]) => string | null
}

const toExpected = ({ tables, isAmbiguous }: ForeignRecords): Expected => ({
  hasTable: tables.length > 0,
  isAmbiguous,
  findWrong(rows) {
    const wrong = tables.map((table) => findFirstWrong(rows, table))
    if (wrong.includes(null)) return null
    return wrong[0] ?? `it was not refused: ${JSON.stringify(rows[0])}`
  },
})

/**
 * What became of a file. right: it was read as it is, or refused as it has to be. asked: it was refused, and may be.
 * told: its cells are others, or it has none, but a note tells. silent: the same without such a note. refused:
 * although it has a table. failed: an error that is none of the file.
 */
export type Verdict = 'right' | 'asked' | 'told' | 'silent' | 'refused' | 'failed'

export interface Judgement {
  verdict: Verdict
  /** The first difference with what was told, or the error. */
  detail: string
  code?: FileError['code']
}

/** What a preview lists, as it can be chosen. */
type Choice =
  | Pick<SourceReading, 'records'>
  | Pick<SourceReading, 'sheets'>
  | Pick<SourceReading, 'encoding'>
const MAX_TRIED = 10

/** Reads a file as a sync does, without a choice. */
export const judge = (file: ForeignRecords, bytes: Buffer): Promise<Judgement> =>
  judgeReading(toExpected(file), bytes)

/** Reads a file with each of the choices that its preview offers, until one is right; null if none is. */
export const findRightChoice = (file: ForeignRecords, bytes: Buffer): Promise<Choice | null> =>
  findChoice(toExpected(file), bytes)

export async function findChoice(expected: Expected, bytes: Buffer): Promise<Choice | null> {
  if (!expected.hasTable) return null
  for (const choice of await listChoices(bytes)) {
    const reading = { ...AUTOMATIC_READING, ...choice }
    if ((await judgeReading(expected, bytes, reading)).verdict === 'right') return choice
  }
  return null
}

async function listChoices(bytes: Buffer): Promise<Choice[]> {
  try {
    const { parts } = await previewForeign(bytes, AUTOMATIC_READING)
    return [
      ...parts.records.map(({ path, variants }) => ({ records: { path, variants } })),
      ...parts.sheets.slice(0, MAX_TRIED).map(({ name }) => ({ sheets: [name] })),
    ]
  } catch (error) {
    // That is the choice that the message asks for.
    if (error instanceof FileError && error.message.endsWith('choose its encoding.')) {
      return [{ encoding: 'windows-1252' }]
    }
    if (error instanceof FileError) return []
    throw error
  }
}

export async function judgeReading(
  { hasTable, isAmbiguous, findWrong }: Expected,
  bytes: Buffer,
  reading: SourceReading = AUTOMATIC_READING,
): Promise<Judgement> {
  try {
    const { rows, problems } = await ingestForeign(bytes, reading)
    // A sync refuses it later.
    if (rows.length < 2) throw new FileError('no-rows', 'The file has no rows.')
    const wrong = findWrong(rows)
    if (wrong === null) return { verdict: 'right', detail: '' }
    const messages = problems.map(({ message }) => message)
    return {
      verdict: problems.some(isAboutTheTable) ? 'told' : 'silent',
      detail: [wrong, ...messages].join('; '),
    }
  } catch (error) {
    if (!(error instanceof FileError)) return { verdict: 'failed', detail: String(error) }
    const { code, message } = error
    if (!hasTable) return { verdict: 'right', detail: message, code }
    return { verdict: isAmbiguous ? 'asked' : 'refused', detail: `${code}: ${message}`, code }
  }
}

/** Not of an encoding, a decimal mark or a separator of categories: these are told of right files, too. */
function isAboutTheTable({ setting }: FileProblem): boolean {
  return setting === undefined || ['records', 'sheets', 'skipLines'].includes(setting)
}
