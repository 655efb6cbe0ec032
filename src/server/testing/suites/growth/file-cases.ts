import { readFile, writeFile } from 'node:fs/promises'

import { AUTOMATIC_ROLES } from '../../../../shared/automatic-reading'
import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import { priceRulesSchema, retailerPriceRulesSchema } from '../../../../shared/schemas/price-rules'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import {
  type FilteredView,
  type FileTasks,
  type KeyedPaths,
  MAX_FILTERED_TOGETHER,
  type TaskKind,
} from '../../../files/file-readers'
import type { OpenableSource } from '../../../files/sources/fetch-source'
import { mapValues } from '../../fixtures/map-values'
import { ordinaryRows, otherRows, sourceInputs, storedInputs } from './file-inputs'
import { mailInputs } from './mail-inputs'
import type { Task } from './measure'
import type { SentFile } from './sent-file'
import { ingest, openSource, openStage, type StoredFile, unlessRefused } from './stage'
import { TEXTS, type Text } from './texts'

const MB = 1024 * 1024
/** So long that a loop over all pairs of rows, or of a row's characters, takes seconds. */
const LARGEST_FILE = 2 * MB
/** Of a delta, which selects, sorts and writes two files twice, and takes seconds for less. */
const LARGEST_DELTA = MB / 2
/** Of a private key that is entered. */
const LARGEST_KEY = 16 * 1024
/** Enough rows for what is kept of each to be seen beside what is kept in any case. */
const LONG_FILE = 16 * MB
/** A merge holds the rows of an update of up to 32 MB, and 32 bytes for each; keys are sorted 4 MB at a time. */
const MERGE_HOLDS = 72 * MB
/** The rows of a part are sorted 16 MB at a time, beside a hash of each key and of each SKU. */
const PART_HOLDS = 48 * MB
const ALL = 1e9

const NAMING = { roles: AUTOMATIC_ROLES, quantityColumn: null, arePaths: false }

type StoredRun = (file: StoredFile, sample: () => void, older: KeyedPaths) => Promise<unknown>

/** Runs a task; a file that it refuses ends the work early. */
async function run<Kind extends TaskKind>(
  kind: Kind,
  task: FileTasks[Kind]['task'],
  sample: () => void,
  source?: OpenableSource,
) {
  const stage = await openStage()
  return unlessRefused(stage.run(kind, task, sample, source))
}

const FORMS = {
  stock: 'csv',
  excel: 'csv',
  own: 'json',
  workbook: 'xlsx',
  asIs: 'parquet',
} as const
/** In which every cell is copied, guarded, converted, or written as JSON, in a workbook or as Parquet. */
const FORMATS = [
  null,
  ...(['stock', 'excel', 'own', 'workbook', 'asIs'] as const).map((kind) => ({
    profile: shopFormatSchema.parse({ kind, skuPrefix: 'x', buffer: 1, cap: 9 }),
    policy: columnPolicySchema.parse({}),
    quantityColumn: null,
    form: FORMS[kind],
  })),
]

/** Makes prices of what is in the second column. */
const toPricing = ({ columns: [, column = ''] }: StoredFile) => ({
  rules: retailerPriceRulesSchema.parse({
    tiers: [{ from: '0', percent: '12.5', fixed: '0.05' }],
    ending: 99,
  }),
  roles: { price: null, cost: column || null, currency: null },
  decimalMark: null,
})

/** Writes the part file of a stored file that has all its rows; undefined for one that is refused. */
async function writePart(file: string, name: string, sample: () => void, prefix = 'S-') {
  const { path } = await openStage()
  const seen = { categoryReading: null, categories: null, format: null }
  const choices = {
    roles: AUTOMATIC_ROLES,
    quantityColumn: null,
    arePaths: false,
    costColumn: null,
  }
  const numbers = { stockTexts: [], decimalMark: null, numbers: null }
  const stock = { buffer: 0, cutOff: 0, cap: null }
  const task = {
    file,
    draft: path(name),
    matching: null,
    prefix,
    seen,
    ...choices,
    ...numbers,
    stock,
  }
  return run('partFile', task, sample)
}

/** What is done with stored files. */
const storedRuns: Record<
  Exclude<TaskKind, 'ingest' | 'preview' | 'readMail' | 'unlockKey'>,
  StoredRun
> = {
  async filter(file, sample) {
    const { path } = await openStage()
    const { categoryReading } = file
    const filter = (views: Omit<FilteredView, 'draft'>[]) => {
      const drafted = views.map((view, place) => ({ ...view, draft: path(`filtered${place}`) }))
      return run('filter', { file: file.file, categoryReading, views: drafted }, sample)
    }
    const whole = { categories: null }
    for (const format of FORMATS) await filter([{ ...whole, format }])
    const categories = ['a > b', 'Shoes', 'w1']
    const filtered = { format: null, categories }
    await filter([filtered])
    await filter(Array.from({ length: MAX_FILTERED_TOGETHER }, () => filtered))
    const pricing = toPricing(file)
    for (const format of FORMATS.slice(0, 2)) await filter([{ ...whole, format, pricing }])
  },
  async sample({ file, categoryReading }, sample) {
    const [, format = null] = FORMATS
    const until = { rows: ALL, bytes: ALL }
    await run('sample', { file, format, categoryReading, categories: ['w1'], until }, sample)
  },
  async stockTexts({ file, columns }, sample) {
    for (const column of columns.slice(0, 4)) {
      await run('stockTexts', { file, column, maxBytes: ALL }, sample)
    }
  },
  async browse({ file, columns }, sample) {
    for (const query of ['', 'W1', 'not there']) {
      const bounds = { from: { offset: 0, row: 0 }, maxRows: 50, maxBytes: ALL }
      await run('browse', { file, columns, query, delimiter: ',', ...bounds }, sample)
    }
  },
  async comparison({ keyed }, sample, older) {
    if (!keyed) return
    const { keyColumn } = keyed
    const options = { keyColumn, hasQuantities: true, naming: NAMING }
    await run('comparison', { older, newer: keyed, ...options }, sample)
  },
  async changedItems({ keyed }, sample, older) {
    if (!keyed) return
    const options = { keyColumn: keyed.keyColumn, naming: NAMING, from: 0, maxItems: 50 }
    for (const q of ['', 'not there']) {
      const task = { older, newer: keyed, ...options, filter: { q }, maxBytes: ALL }
      await run('changedItems', task, sample)
    }
  },
  async comparisonList({ keyed }, sample, older) {
    if (!keyed) return
    const { path } = await openStage()
    const options = { keyColumn: keyed.keyColumn, naming: NAMING, filter: { q: '' } }
    const task = { older, newer: keyed, ...options, draft: path('changes') }
    await run('comparisonList', task, sample)
  },
  /** All items leave the file and their categories, and a second time, when they have left already. */
  async goneItems({ keyed, categoryReading }, sample, other) {
    if (!keyed) return
    const { path } = await openStage()
    const rows = { file: other.file, categoryReading }
    const { keyColumn } = keyed
    const options = { keyColumn, roles: AUTOMATIC_ROLES, categoryReading, now: 0 }
    const newer = { keys: keyed.keys, keysBytes: 0, rows }
    for (const [gone, draft] of [
      [null, path('gone')],
      [path('gone'), path('gone-again')],
    ] as const) {
      const task = { ...options, older: { ...keyed, gone }, newer, draft }
      const found = await run('goneItems', task, sample)
      if (!found?.content) return
    }
  },
  async delta({ file, keyed }, sample, older) {
    if (!keyed) return
    const { path } = await openStage()
    const version = { file, keyColumn: keyed.keyColumn, format: null }
    const task = { newer: file, version, delimiter: ',', draft: path('delta') } as const
    const selection = { categoryReading: null, categories: null, format: null }
    for (const chosen of [null, selection]) {
      await run('delta', { ...task, older: { file: older.file, selection: chosen } }, sample)
    }
  },
  async digest({ keyed, categoryReading }, sample, older) {
    if (!keyed) return
    const { path } = await openStage()
    const { keyColumn } = keyed
    const options = {
      keyColumn,
      naming: NAMING,
      stockTexts: [],
      decimalMark: null,
      pricePercent: 5,
    }
    const hiding = { categoryReading, categories: ['w1'], format: null }
    for (const steps of [[], [hiding]]) {
      const sides = { older: { keyed: older, steps }, newer: { keyed, steps } }
      await run('digest', { ...sides, ...options, draft: path('digest') }, sample)
    }
  },
  /** The items are the first state, change once, and have their history folded and joined. */
  async historyChanges({ file, keyed, columns, categoryReading }, sample) {
    if (!keyed) return
    const task = { ...toHistoryTask(keyed.keyColumn, columns, categoryReading), file }
    const { path } = await openStage()
    await run('historyChanges', { ...task, state: null, draft: path('state') }, sample)
  },
  async historyFold({ file, keyed, columns, categoryReading }, sample, older) {
    if (!keyed) return
    const { path } = await openStage()
    const task = toHistoryTask(keyed.keyColumn, columns, categoryReading)
    const first = await run(
      'historyChanges',
      { ...task, file, state: null, draft: path('state') },
      sample,
    )
    if (!first?.found) return
    const state = { path: path('state'), records: first.found.records }
    const other = { ...task, file: older.file, time: 2, state, draft: path('changed') }
    const second = await run('historyChanges', other, sample)
    if (!second?.found) return
    const changes = [{ path: path('changed'), records: second.found.records }]
    const drafts = { state: path('folded'), past: path('past') }
    await run('historyFold', { state, changes, forgetBefore: 0, drafts }, sample)
  },
  async historyJoin({ file, keyed, columns, categoryReading }, sample) {
    if (!keyed) return
    const { path } = await openStage()
    const task = toHistoryTask(keyed.keyColumn, columns, categoryReading)
    const first = await run(
      'historyChanges',
      { ...task, file, state: null, draft: path('state') },
      sample,
    )
    if (!first?.found) return
    const part = { path: path('state'), records: first.found.records }
    await run(
      'historyJoin',
      { parts: [part, part, part], thinBefore: 10, draft: path('joined') },
      sample,
    )
  },
  async partFile({ file }, sample) {
    await writePart(file, 'part', sample)
  },
  /** Two suppliers with the same items, and one with others. */
  async mergedFile({ file }, sample, older) {
    const { path } = await openStage()
    const parts = []
    for (const [number, stored] of [file, file, older.file].entries()) {
      const prefix = `S${number}-`
      const written = await writePart(stored, `part-${number}`, sample, prefix)
      if (!written) return
      const { sizeBytes } = written.content
      const terms = { supplier: prefix, prefix, currency: null, isStale: false }
      parts.push({ file: path(`part-${number}`), sizeBytes, ...terms })
    }
    const drafts = { rows: path('merged'), keys: path('merged-keys'), unmatched: path('unmatched') }
    const priceRules = priceRulesSchema.parse({ tiers: [{ from: '0', percent: '10' }], ending: 99 })
    for (const quantity of ['sum', 'cheapest'] as const) {
      await run('mergedFile', { parts, drafts, quantity, priceRules }, sample)
    }
  },
  async matching({ file }, sample) {
    await run('matching', { file }, sample)
  },
  async compress({ file }, sample) {
    const { path } = await openStage()
    for (const coding of ['gzip', 'br'] as const) {
      await run('compress', { file, draft: path('compressed'), coding }, sample)
    }
  },
}

const toHistoryTask = (
  keyColumn: string,
  columns: string[],
  categoryReading: StoredFile['categoryReading'],
) => ({
  changes: [],
  time: 1,
  columns: {
    keyColumn,
    quantityColumn: columns[1] ?? null,
    quantityStyle: 'decimals' as const,
    stockTexts: [],
    roles: { ...AUTOMATIC_ROLES, price: columns[0] ?? null },
    arePaths: false,
    categoryReading,
    priceMark: null,
  },
})

/** The entrance of a file from its source. */
const fromSource = (
  largest: number,
  read: (file: SentFile, sample: () => void) => unknown,
): Task => ({
  run: (file, sample) => read(file as SentFile, sample),
  inputs: sourceInputs,
  largest,
  long: () => ordinaryRows(LONG_FILE),
})

const merging = (read: (file: SentFile, sample: () => void) => unknown): Task => ({
  ...fromSource(LARGEST_FILE, read),
  mayHoldBytes: MERGE_HOLDS,
})

/** The entrance of stored files. Those whose source is refused never get there. */
function fromStore(work: StoredRun, largest: number): Task {
  const prepare = (make: (size: number) => SentFile, name: string) => (size: number) =>
    store(name, size, make)
  return {
    run(input, sample) {
      const stored = input as Awaited<ReturnType<typeof store>>
      return stored && work(stored.file, sample, stored.older)
    },
    inputs: mapValues(storedInputs, prepare),
    largest,
    heaviest: 'a cell of formulas',
    long: () => store('ordinary rows', LONG_FILE, ordinaryRows),
  }
}

/** A stored file, and one that can be an older version of it. */
async function store(name: string, size: number, make: (size: number) => SentFile) {
  const stage = await openStage()
  const file = await stage.store(name, size, make)
  if (!file) return null
  const before = await stage.store('other rows', size, otherRows)
  const isOfSameKind = before?.keyed?.keyColumn === file.keyed?.keyColumn
  if (before?.keyed && isOfSameKind) return { file, older: before.keyed }
  const bytes = await readFile(file.file)
  const header = stage.path('header.csv')
  await writeFile(header, bytes.subarray(0, bytes.indexOf('\n') + 1))
  return { file, older: { ...file, keys: file.keyed?.keys ?? '', keysBytes: 0, file: header } }
}

const tasks: Record<TaskKind, Task> = {
  ingest: fromSource(LARGEST_FILE, async (file, sample) => {
    const { path } = await openStage()
    return ingest(file, path('ingested'), sample)
  }),
  preview: fromSource(LARGEST_FILE, async ({ bytes, reading }, sample) => {
    const { path } = await openStage()
    const task = { reading, draft: path('container') }
    return run('preview', task, sample, await openSource(bytes))
  }),
  ...mapValues(storedRuns, (work) => fromStore(work, LARGEST_FILE)),
  partFile: { ...fromStore(storedRuns.partFile, LARGEST_FILE), mayHoldBytes: PART_HOLDS },
  mergedFile: { ...fromStore(storedRuns.mergedFile, LARGEST_FILE), mayHoldBytes: PART_HOLDS },
  delta: fromStore(storedRuns.delta, LARGEST_DELTA),
  readMail: {
    async run(message) {
      const { path } = await openStage()
      const file = path('message')
      await writeFile(file, message as Buffer)
      const task = { file, draft: path('table'), authHost: 'mx.example' }
      await run('readMail', task, () => undefined)
    },
    inputs: mailInputs,
    largest: LARGEST_FILE,
  },
  unlockKey: {
    run: (text) => unlocked(text as string),
    inputs: { ...TEXTS, 'a line of a key': ((size) => 'A'.repeat(size)) satisfies Text },
    largest: LARGEST_KEY,
  },
}

/** A text in the place of a private key. */
async function unlocked(text: string) {
  for (const kind of ['OPENSSH ', 'RSA ', 'EC ', 'ENCRYPTED ', '']) {
    const privateKey = `-----BEGIN ${kind}PRIVATE KEY-----\n${text}\n-----END ${kind}PRIVATE KEY-----\n`
    await run('unlockKey', { privateKey, passphrase: 'secret' }, () => undefined)
  }
}

/** An ingest of an update of a file with as many rows, and of a full file. */
const update = merging(async (file, sample) => {
  const stage = await openStage()
  const stored = await stage.store('ordinary rows', file.bytes.length, ordinaryRows)
  if (!stored?.keyed) return
  const removal = { column: 'category', value: 'Coats > 1' }
  const base = { ...stored.keyed, hasHeader: true, categoryColumn: 'category' }
  for (const isFull of [false, true]) {
    const updates = { removal, fullName: null, isFull, base, knownSha256: null }
    await ingest(file, stage.path('updated'), sample, { updates })
  }
})

/** An ingest of a file with itself as its overlay, and with an ordinary one. */
const overlay = merging(async (file, sample) => {
  const { path } = await openStage()
  await ingest(file, path('overlaid'), sample, { overlay: file })
  await ingest(file, path('overlaid'), sample, { overlay: ordinaryRows(MB / 8) })
})

/** A case for each task over files. */
export const fileCases: Record<string, Task> = Object.fromEntries(
  Object.entries({
    ...tasks,
    'ingest of an update': update,
    'ingest with an overlay': overlay,
  }).map(([kind, task]) => [`task ${kind}`, task]),
)
