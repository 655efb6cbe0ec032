/**
 * Reads the documents that held-out/write.py has written, and tells what becomes of each that is not right.
 *
 * Usage: node --import tsx tools/foreign-tables/check-held-out.ts FOLDER
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { findChoice, judgeReading } from '../../src/server/testing/stages/foreign-records'
import {
  type HeldOutDocument,
  toExpected,
} from '../../src/server/testing/stages/held-out-documents'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Arguments: FOLDER')
const documents = JSON.parse(
  readFileSync(join(folder, 'truth.json'), 'utf8'),
) as (HeldOutDocument & {
  file: string
  form: string
})[]
const counts = new Map<string, number>()
const readable = { all: 0, right: 0, chosen: 0 }
for (const document of documents) {
  const bytes = readFileSync(join(folder, document.file))
  const expected = toExpected(document)
  const { verdict, detail } = await judgeReading(expected, bytes)
  const choice = verdict === 'right' ? null : await findChoice(expected, bytes)
  const outcome = verdict === 'right' && document.mustRefuse ? 'refused rightly' : verdict
  const key = `${document.form}: ${outcome}${choice ? ', right with a choice' : ''}`
  counts.set(key, (counts.get(key) ?? 0) + 1)
  if (verdict !== 'right')
    print(`${document.file}: ${outcome}${choice ? ` (${JSON.stringify(choice)})` : ''}: ${detail}`)
  else if (document.mustRefuse) print(`${document.file}: refused: ${detail}`)
  if (document.mustRefuse === true || document.mayRefuse === true) continue
  readable.all++
  if (verdict === 'right') readable.right++
  if (verdict === 'right' || choice) readable.chosen++
}
for (const [outcome, count] of [...counts].toSorted()) print(`${outcome}: ${count}`)
print(
  `with a table: ${readable.all}, of which right without a choice ${share(readable.right)}, without or with one ${share(readable.chosen)}`,
)

function share(count: number): string {
  return `${count} (${((count / readable.all) * 100).toFixed(1)} %)`
}

function print(line: string) {
  process.stdout.write(`${line.slice(0, 1200)}\n`)
}
