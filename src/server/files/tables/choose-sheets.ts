import { FileError } from '../file-error'
import { countKnownNames } from '../read/dialect/header'
import type { ProblemLog } from '../read/problems'
import { listCells, MAX_CHUNK_BYTES } from '../read/scan/scan'
import { createScanner } from '../read/scan/scanner'
import { createNameTest, listNames } from './names'
import { MAX_PROBED, type Sheet, type Workbook } from './workbook'

/** Which sheets of a workbook are read. */
export interface ChosenSheets {
  /** At least one. */
  sheets: readonly Sheet[]
  /** Whether they were neither chosen nor read before. */
  isGuess: boolean
  /** Whether they would be the same ones if more sheets followed. */
  isSure: boolean
  report(problems: ProblemLog): void
}

/**
 * Chooses the sheets that a supplier has named, or else those that the file before was read from, or else the
 * first one with a table, preferably one whose columns have names that catalogues have in common.
 * @throws FileError `wrong-choice` for a chosen sheet that does not exist; `workbook-empty`
 */
export async function chooseSheets(
  workbook: Workbook,
  chosen: readonly string[] | null,
  previous: readonly string[],
): Promise<ChosenSheets> {
  if (chosen) {
    const sheets = findChosen(workbook.sheets, chosen)
    return { sheets, isGuess: false, isSure: true, report: () => undefined }
  }
  const visible = workbook.sheets.filter(({ isHidden }) => !isHidden)
  const probed: Probe[] = []
  for (const sheet of visible.slice(0, MAX_PROBED)) probed.push(await probe(workbook, sheet))
  const tables = probed.filter(({ isTable }) => isTable)
  const best =
    tables.find(({ knownNames }) => knownNames > 1) ??
    tables[0] ??
    probed.find(({ rows }) => rows > 1) ??
    probed.find(({ rows }) => rows > 0)
  if (!best)
    throw new FileError('workbook-empty', 'The workbook has no rows in a sheet that can be seen.')
  const known = visible.filter(({ name }) => previous.includes(name))
  const missing = previous.filter((name) => !known.some((sheet) => sheet.name === name))
  const isKnown = known.length > 0 && missing.length === 0
  const sheets = isKnown ? known : [best.sheet]
  const others = tables.map(({ sheet }) => sheet).filter((sheet) => !sheets.includes(sheet))
  return {
    sheets,
    isGuess: !isKnown,
    isSure: isKnown || best.knownNames > 1,
    report(problems) {
      if (missing.length + others.length === 0) return
      const read = listNames(namesOf(sheets))
      const also = others.length > 0 ? `; the workbook also has ${listNames(namesOf(others))}` : ''
      const what =
        missing.length > 0
          ? `${describeMissing(workbook, missing)}: ${read} was read instead`
          : `${toSubject(namesOf(sheets))} read`
      problems.add(null, `${what}${also}.`, { setting: 'sheets' })
    },
  }
}

/** Says which sheets of the file before are gone or hidden, so that another one is read. */
function describeMissing(workbook: Workbook, missing: readonly string[]): string {
  const hidden = missing.filter((name) => workbook.sheets.some((sheet) => sheet.name === name))
  const states = [
    ...(hidden.length < missing.length ? ['gone'] : []),
    ...(hidden.length > 0 ? ['hidden'] : []),
  ]
  const verb = missing.length === 1 ? 'is' : 'are'
  return `${toSubject(missing)} read before and ${verb} ${states.join(' or ')}`
}

const namesOf = (sheets: readonly Sheet[]) => sheets.map(({ name }) => name)

const toSubject = (names: readonly string[]) =>
  names.length === 1 ? `The sheet ${listNames(names)} was` : `The sheets ${listNames(names)} were`

function findChosen(sheets: readonly Sheet[], chosen: readonly string[]): Sheet[] {
  const found = new Set<Sheet>()
  for (const pattern of chosen) {
    const fits = createNameTest(pattern)
    const fitting = sheets.filter(({ name }) => fits(name))
    if (fitting.length === 0) {
      throw new FileError(
        'wrong-choice',
        `The workbook has no sheet that fits the chosen “${pattern}”. It has ${listNames(namesOf(sheets))}.`,
      )
    }
    for (const sheet of fitting) found.add(sheet)
  }
  return sheets.filter((sheet) => found.has(sheet))
}

interface Probe {
  sheet: Sheet
  rows: number
  /** Whether there are a header and a row, of at least two cells each. */
  isTable: boolean
  /** The most names that catalogues have in common in one of the first rows. */
  knownNames: number
}

async function probe(workbook: Workbook, sheet: Sheet): Promise<Probe> {
  const rows = await readFirstRows(workbook, sheet)
  const wide = rows.filter((cells) => cells.filter((cell) => cell.trim() !== '').length > 1)
  return {
    sheet,
    rows: rows.length,
    isTable: wide.length > 1,
    knownNames: Math.max(0, ...rows.map(countKnownNames)),
  }
}

/** The first rows that are not blank. */
async function readFirstRows(workbook: Workbook, sheet: Sheet): Promise<string[][]> {
  const rows: string[][] = []
  const head = await workbook.readHead(sheet)
  if (!head) return rows
  const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
  const batch = scanner.push(head.subarray(0, MAX_CHUNK_BYTES))
  for (let record = 0; record < batch.count; record++) {
    const cells = listCells(batch, record)
    if (cells.some((cell) => cell !== '')) rows.push(cells)
  }
  return rows
}
