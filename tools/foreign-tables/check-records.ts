/**
 * Reads the files of XML, JSON and HTML that write-records.py has written, and counts what becomes of them.
 *
 * Usage: node --import tsx tools/foreign-tables/check-records.ts FOLDER [--held-out] [--only TEXT]
 *
 * Without `--held-out`, the half that may be looked at is read, and each file that is not right without a choice is
 * listed with the first difference. With it, the other half is only counted.
 */
import {
  findRightChoice,
  type ForeignRecords,
  judge,
  type Verdict,
} from '../../src/server/testing/stages/foreign-records'
import { readTruth } from './read-truth'

const { files, isHeldOut, bytesOf } = readTruth<ForeignRecords>()

type Outcome = Verdict | 'right with a choice'
const TITLES: Record<Outcome, string> = {
  right: 'Right without a choice',
  'right with a choice': 'Right with one choice',
  asked: 'Asked where nobody can know',
  refused: 'Refused',
  told: 'Wrong, and told',
  silent: 'WRONG SILENTLY',
  failed: 'FAILED',
}
const found = new Map<Outcome, string[]>()
const families = new Map<string, Map<Outcome, number>>()
const codes = new Map<string, number>()
const readable = { all: 0, right: 0, chosen: 0 }

for (const file of files) {
  const bytes = bytesOf(file)
  const { verdict, detail, code } = await judge(file, bytes)
  const choice = verdict === 'right' ? null : await findRightChoice(file, bytes)
  const isSilent = verdict === 'silent' || verdict === 'failed'
  const outcome = choice && !isSilent ? 'right with a choice' : verdict
  const line = [file.name, detail, choice && `with ${JSON.stringify(choice)}: right`]
  const lines = found.get(outcome) ?? []
  found.set(outcome, [...lines, line.filter(Boolean).join(': ')])
  const outcomes = families.get(file.family) ?? new Map<Outcome, number>()
  families.set(file.family, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1))
  if (code !== undefined) codes.set(code, (codes.get(code) ?? 0) + 1)
  if (file.tables.length > 0 && !file.isAmbiguous) {
    readable.all++
    if (verdict === 'right') readable.right++
    if (verdict === 'right' || choice) readable.chosen++
  }
}

for (const [outcome, title] of Object.entries(TITLES) as [Outcome, string][]) {
  const lines = found.get(outcome) ?? []
  print(`${title}: ${lines.length}`)
  if (!isHeldOut && outcome !== 'right') for (const line of lines) print(`  ${line.slice(0, 600)}`)
}
for (const [family, outcomes] of families) print(`${family}: ${listCounts(outcomes)}`)
print(`codes of refusals: ${listCounts(codes)}`)
print(
  `with a table that everybody would find: ${readable.all}, of which right without a choice ${share(readable.right)}, without or with one ${share(readable.chosen)}`,
)

function listCounts(counts: Map<string, number>): string {
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ')
}

function share(count: number): string {
  return `${count} (${((count / readable.all) * 100).toFixed(1)} %)`
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
