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
type Choice = Pick<SourceReading, 'records'> | Pick<SourceReading, 'sheets'>
const MAX_TRIED = 10

/** Reads a file as a sync does, without a choice. */
export function judge(file: ForeignRecords, bytes: Buffer): Promise<Judgement> {
  return judgeReading(file, bytes, AUTOMATIC_READING)
}

/** Reads a file with each of the choices that its preview offers, until one is right; null if none is. */
export async function findRightChoice(file: ForeignRecords, bytes: Buffer): Promise<Choice | null> {
  if (file.tables.length === 0) return null
  for (const choice of await listChoices(bytes)) {
    const reading = { ...AUTOMATIC_READING, ...choice }
    if ((await judgeReading(file, bytes, reading)).verdict === 'right') return choice
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
    if (error instanceof FileError) return []
    throw error
  }
}

async function judgeReading(
  { tables, isAmbiguous }: ForeignRecords,
  bytes: Buffer,
  reading: SourceReading,
): Promise<Judgement> {
  try {
    const { rows, problems } = await ingestForeign(bytes, reading)
    // A sync refuses it later.
    if (rows.length < 2) throw new FileError('no-rows', 'The file has no rows.')
    const wrong = tables.map((table) => findFirstWrong(rows, table))
    if (wrong.includes(null)) return { verdict: 'right', detail: '' }
    const [firstWrong = `it was not refused: ${JSON.stringify(rows[0])}`] = wrong
    const messages = problems.map(({ message }) => message)
    return {
      verdict: problems.some(isAboutTheTable) ? 'told' : 'silent',
      detail: [firstWrong, ...messages].join('; '),
    }
  } catch (error) {
    if (!(error instanceof FileError)) return { verdict: 'failed', detail: String(error) }
    const { code, message } = error
    if (tables.length === 0) return { verdict: 'right', detail: message, code }
    return { verdict: isAmbiguous ? 'asked' : 'refused', detail: `${code}: ${message}`, code }
  }
}

/** Not of an encoding, a decimal mark or a separator of categories: these are told of right files, too. */
function isAboutTheTable({ setting }: FileProblem): boolean {
  return setting === undefined || ['records', 'sheets', 'skipLines'].includes(setting)
}
