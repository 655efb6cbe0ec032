/**
 * Reads the workbooks and archives that write-books.py has written, and counts what becomes of them.
 *
 * Usage: node --import tsx tools/foreign-tables/check-books.ts FOLDER [--held-out] [--only TEXT]
 *
 * Without `--held-out`, the half that may be looked at is read, and each file that is not right is listed with the
 * first difference. With it, the other half is only counted.
 */
import { FileError } from '../../src/server/files/file-error'
import {
  compareSheets,
  type ForeignBook,
  judge,
  judgeChosen,
  type Verdict,
} from '../../src/server/testing/stages/foreign-books'
import { readTruth } from './read-truth'

const { files: books, isHeldOut, bytesOf } = readTruth<ForeignBook>()

type Outcome = Verdict | 'cells wrong' | 'cells right'
const counts = new Map<string, Map<Outcome, number>>()

function count(group: string, outcome: Outcome) {
  const outcomes = counts.get(group) ?? new Map<Outcome, number>()
  counts.set(group, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1))
}

const lines: string[] = []
for (const book of books) {
  const bytes = bytesOf(book)
  if (book.sheets) {
    const differences = await compareSheets(book, bytes).catch((error: unknown) => {
      if (error instanceof FileError) return [`refused, ${error.code}: ${error.message}`]
      throw error
    })
    count('sheets, cell by cell', differences.length > 0 ? 'cells wrong' : 'cells right')
    if (differences[0] !== undefined) lines.push(`${book.name}: cells: ${differences[0]}`)
  }
  const { verdict, detail } = await judge(book, bytes)
  const chosen = book.choice ? await judgeChosen(book, bytes) : { verdict, detail }
  const isRight = verdict === 'right' || chosen.verdict === 'right'
  count('without a choice', verdict)
  count('without or with one choice', isRight ? 'right' : chosen.verdict)
  if (book.choice) count('with the choice that may be made', chosen.verdict)
  count(`by ${book.writer}`, verdict)
  count(`of ${book.kind}`, verdict)
  if (verdict !== 'right') lines.push(`${book.name}: ${verdict}: ${detail}`)
  if (book.choice && chosen.verdict !== verdict) {
    const choice = JSON.stringify(book.choice.reading)
    lines.push(`${book.name}: with ${choice}: ${chosen.verdict}: ${chosen.detail}`)
  }
}
if (!isHeldOut) for (const line of lines) print(line.slice(0, 600))
for (const [group, outcomes] of counts) {
  const all = [...outcomes].map(([outcome, files]) => `${files} ${outcome}`)
  print(`${group}: ${all.join(', ')}`)
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
