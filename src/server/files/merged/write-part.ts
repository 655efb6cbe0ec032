import type { FileProblem } from '../../../shared/schemas/file'
import { filterFile, type JudgedOptions } from '../filter'
import { judgeCosts } from '../pricing/judge-costs'
import { createProblemLog, type ProblemLog } from '../read/problems'
import { withoutCurrency } from '../read/quantities/currency'
import { createNumberEvidence } from '../read/quantities/number-style'
import { parseQuantity } from '../read/quantities/quantity'
import { findByColumn } from '../read/quantities/quantity-column'
import { displayName } from '../read/scan/display-cell'
import { cellStart, listCells, type RecordBatch } from '../read/scan/scan'
import { createScanner } from '../read/scan/scanner'
import { splitChunk } from '../read/table/table-reader'
import { findPartColumns, type PartColumns, toPartHead } from './part-columns'
import type { PartFacts, PartOptions, PartStyles } from './part-options'
import { createPartRows } from './part-rows'
import { createRecordSorter } from './record-sorter'

/**
 * Writes the part file (`part-records`) of a retailer's file: it is read twice, first to judge how its numbers are
 * written.
 * @throws FileError `missing-column`
 */
export async function writePart(
  read: () => AsyncIterable<Uint8Array>,
  given: PartOptions,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<PartFacts> {
  const log = createProblemLog()
  const pricing = await judgeCosts(read, given.seen.pricing, given.signal)
  const options = { ...given, seen: { ...given.seen, pricing } }
  const { names, places, styles } = await judgePart(read, options, log)
  const sorter = createRecordSorter(options.openRun, options.signal)
  const rows = createPartRows(places, { ...options, styles, log }, sorter)
  try {
    const seen = await readSeen(read, options, {
      row: (batch, record) => rows.add(batch, record),
      flush: () => sorter.flush(),
    })
    await write(Buffer.from(`${JSON.stringify(toPartHead(names, places))}\n`))
    await sorter.finish(write)
    return { ...rows.counts(), problems: [...seen, ...log.list()] }
  } finally {
    await sorter.close()
  }
}

type SeenPart = Omit<PartOptions, 'seen'> & { seen: Omit<JudgedOptions, 'signal'> }

interface SeenRows {
  header?: (names: string[]) => void
  row: (batch: RecordBatch, record: number) => void
  flush?: () => Promise<void>
}

/** Reads the rows that a retailer may see, as they are written for it. Returns which of them could not be priced. */
async function readSeen(
  read: () => AsyncIterable<Uint8Array>,
  { seen, signal }: SeenPart,
  { header, row, flush }: SeenRows,
): Promise<FileProblem[]> {
  const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
  let isHeader = true
  const pass = (batch: RecordBatch) => {
    for (let record = 0; record < batch.count; record++) {
      if (!isHeader) row(batch, record)
      else header?.(listCells(batch, record))
      isHeader = false
    }
  }
  const { problems } = await filterFile(read(), { ...seen, signal }, async (chunk) => {
    for (const piece of splitChunk(chunk)) {
      pass(scanner.push(piece))
      await flush?.()
    }
  })
  pass(scanner.end())
  await flush?.()
  return seen.pricing ? problems : []
}

const STYLE_CHARACTERS = 60

async function judgePart(
  read: () => AsyncIterable<Uint8Array>,
  options: SeenPart,
  log: ProblemLog,
) {
  let found: { names: string[]; places: PartColumns } | undefined
  const evidence = {
    quantity: createNumberEvidence(),
    price: createNumberEvidence(),
    cost: createNumberEvidence(),
  }
  const kinds = ['quantity', 'price', 'cost'] as const
  await readSeen(read, options, {
    header(names) {
      found = { names, places: findPartColumns(names, options) }
    },
    row(batch, record) {
      for (const kind of kinds) {
        const place = found?.places[kind] ?? -1
        if (place < 0) continue
        const cell = withoutCurrency(cellStart(batch, record, place, STYLE_CHARACTERS))
        const written = parseQuantity(cell)
        if (written) evidence[kind].add(cell, written)
      }
    },
  })
  if (!found) throw new Error('A file has no header')
  const { names, places } = found
  const column = displayName(names[places.quantity] ?? '')
  const judged = findByColumn(options.numbers ?? [], column)?.style
  const styleOf = (kind: (typeof kinds)[number]) => evidence[kind].judge(null) ?? 'decimals'
  for (const kind of ['price', 'cost'] as const) tellGuess(kind, evidence[kind], log)
  const styles: PartStyles = {
    quantity: options.decimalMark ?? judged ?? styleOf('quantity'),
    price: styleOf('price'),
    cost: styleOf('cost'),
  }
  return { names, places, styles }
}

/** Tells of amounts such as `1.234`, where nothing shows whether they are thousands. */
function tellGuess(
  kind: 'price' | 'cost',
  evidence: ReturnType<typeof createNumberEvidence>,
  log: ProblemLog,
): void {
  const open = evidence.open()
  const { comma, point } = evidence.proofs()
  if (!open || (comma === undefined) !== (point === undefined)) return
  const style = evidence.judge(null) === 'thousands' ? 'thousands' : 'decimals'
  log.add(
    null,
    `It is not certain whether ${kind}s such as “${open.example}” are thousands; they were read as ${style}.`,
    { count: open.count },
  )
}
