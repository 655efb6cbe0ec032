/**
 * Reads the documents that held-out/write.py has written, and tells what becomes of each that is not right.
 *
 * Usage: node --import tsx tools/foreign-tables/check-held-out.ts FOLDER
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import {
  type HeldOutDocument,
  hasClearTable,
  judgeDocument,
} from '../../src/server/testing/stages/held-out-documents'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Arguments: FOLDER')
const documents = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as HeldOutDocument[]
const counts = new Map<string, number>()
const readable = { all: 0, right: 0, chosen: 0 }
for (const document of documents) {
  const { verdict, detail, isRightWithChoice } = await judgeDocument(
    document,
    readFileSync(join(folder, document.file)),
  )
  const isRight = verdict === 'right'
  const outcome = isRight && document.mustRefuse ? 'refused rightly' : verdict
  const also = isRightWithChoice ? ', right with a choice' : ''
  const key = `${document.form}: ${outcome}${also}`
  counts.set(key, (counts.get(key) ?? 0) + 1)
  if (!isRight || document.mustRefuse) print(`${document.file}: ${outcome}${also}: ${detail}`)
  if (!hasClearTable(document)) continue
  readable.all++
  if (isRight) readable.right++
  if (isRight || isRightWithChoice) readable.chosen++
}
for (const [outcome, count] of [...counts].toSorted(([one], [other]) => one.localeCompare(other)))
  print(`${outcome}: ${count}`)
print(
  `with a table: ${readable.all}, of which right without a choice ${share(readable.right)}, without or with one ${share(readable.chosen)}`,
)

function share(count: number): string {
  return `${count} (${((count / readable.all) * 100).toFixed(1)} %)`
}

function print(line: string) {
  process.stdout.write(`${line.slice(0, 1200)}\n`)
}
