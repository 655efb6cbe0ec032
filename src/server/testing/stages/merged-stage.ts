import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { columnPolicySchema } from '../../../shared/schemas/column-policy'
import { shopFormatSchema } from '../../../shared/schemas/shop-format'
import type { FileTasks, MergedFileTask, PartFileTask, TaskKind } from '../../files/file-readers'
import { localFiles } from '../../files/task-files'
import { runTask } from '../../files/tasks/tasks'
import { readTable } from '../fixtures/update-histories'

/** What of a part is not as usual. */
export interface GivenPart
  extends
    Partial<Omit<PartFileTask, 'file' | 'draft' | 'matching'>>,
    Partial<MergedFileTask['parts'][number]> {
  /** The retailer's canonical file. */
  csv: string
  hidden?: string[]
  categories?: string[] | null
}

type Rules = Partial<Pick<MergedFileTask, 'quantity' | 'priceRules'>>

/** Writes part files and merges them, in this process and in a folder of its own. */
export async function openMergedStage() {
  const folder = await mkdtemp(join(tmpdir(), 'merged-files-'))
  const { signal } = new AbortController()
  let files = 0
  const path = (name: string) => join(folder, `${++files}-${name}`)
  const run = <Kind extends TaskKind>(kind: Kind, task: FileTasks[Kind]['task']) =>
    runTask(kind, task, { files: localFiles, maxBytes: 1e9, signal })

  async function store(name: string, text: string): Promise<string> {
    const file = path(name)
    await writeFile(file, text)
    return file
  }

  async function writePart(given: GivenPart, matching: string | null) {
    const { csv, hidden = [], categories = null, supplier, currency, isStale, ...choices } = given
    const prefix = given.prefix ?? 'A-'
    const policy = columnPolicySchema.parse({ hidden })
    const profile = shopFormatSchema.parse({})
    const form = 'csv' as const
    const draft = path('part')
    const result = await run('partFile', {
      file: await store('file.csv', csv),
      draft,
      matching,
      seen: {
        categoryReading: { column: 'category', pathSeparator: null, listSeparator: null },
        categories,
        format: hidden.length === 0 ? null : { policy, profile, quantityColumn: null, form },
      },
      roles: policy.roles,
      quantityColumn: null,
      arePaths: false,
      costColumn: null,
      stockTexts: [],
      decimalMark: null,
      numbers: null,
      stock: { buffer: 0, cutOff: 0, cap: null },
      ...choices,
      prefix,
    })
    const { sizeBytes } = result.content
    const terms = { supplier: supplier ?? prefix, prefix, currency: currency ?? null }
    return { result, part: { file: draft, sizeBytes, ...terms, isStale: isStale ?? false } }
  }

  return {
    run,
    path,
    store,
    writePart,
    /** Merges the files of suppliers, the preferred one's first. */
    async merge(given: readonly GivenPart[], rules: Rules = {}, matchingCsv: string | null = null) {
      const matching = matchingCsv === null ? null : await store('matching.csv', matchingCsv)
      const written = []
      for (const part of given) written.push(await writePart(part, matching))
      const drafts = { rows: path('rows'), keys: path('keys'), unmatched: path('unmatched') }
      const parts = written.map(({ part }) => part)
      const result = await run('mergedFile', {
        parts,
        drafts,
        quantity: 'first',
        priceRules: null,
        ...rules,
      })
      const bytes = await readFile(drafts.rows)
      const [columns = [], ...rows] = readTable(bytes.toString())
      const [, ...unmatched] = readTable(await readFile(drafts.unmatched, 'utf8'))
      return {
        result,
        drafts,
        bytes,
        columns,
        /** By SKU. */
        rows: rows.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
        items: new Map(rows.map((row) => [row[0] ?? '', toItem(columns, row)])),
        unmatched: unmatched.map(([prefix = '', , sku = '']) => [prefix, sku]),
        partProblems: written.map(({ result: { problems } }) => problems),
      }
    },
    close: () => rm(folder, { recursive: true }),
  }
}

const toItem = (columns: string[], row: string[]): Record<string, string> =>
  Object.fromEntries(columns.map((name, place) => [name, row[place] ?? '']))
