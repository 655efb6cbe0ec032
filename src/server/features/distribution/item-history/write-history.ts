import { foldName } from '../../../../shared/categories'
import { DAY_MS } from '../../../../shared/durations'
import { hasPathNames } from '../../../../shared/file-source'
import type { ConnectionRow, ItemHistoryRow } from '../../../db/schema'
import type { ColumnEra } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import type { FileTasks, HistoryFile, WrittenHistory } from '../../../files/file-readers'
import type { ItemColumns } from '../../../files/history/item-records'
import { findKeptSince, type HistoricVersion } from './item-histories.queries'
import { choosePastToJoin, dropOldest, type KeptFile, ofKind, planChanges } from './kept-files'

/** Items that have left are forgotten after so long. */
const FORGET_AFTER_MS = 366 * DAY_MS
/** More changes of columns than a year has of releases. */
const MAX_ERAS = 100

/** What a version has made of a history. */
export type WrittenStep = Pick<
  ItemHistoryRow,
  'beganAt' | 'keyColumn' | 'priceMark' | 'columnEras' | 'obstacle'
> & {
  files: KeptFile[]
  /** The hashes of what was stored, whether it is among these files or not. */
  stored: readonly string[]
}

type Step = {
  history: ItemHistoryRow
  files: KeptFile[]
  connection: ConnectionRow
  version: HistoricVersion
  /** The lease token of the run. */
  owner: string
}

/** Adds a version to a history, in files that are stored then, and makes room. Nothing is recorded yet. */
export async function addVersion(
  deps: Deps,
  { history, files, connection, version, owner }: Step,
  signal: AbortSignal,
): Promise<WrittenStep> {
  const { keyColumn } = version
  const { beganAt: began, priceMark: mark, columnEras } = history
  const unchanged = { beganAt: began, keyColumn: history.keyColumn, priceMark: mark, columnEras }
  const without = { ...unchanged, files, stored: [], obstacle: 'no-keys' } as const
  if (keyColumn === null || version.keysSha256 === null) return without
  const isSameKey =
    history.keyColumn !== null && foldName(history.keyColumn) === foldName(keyColumn)
  const known = isSameKey ? files : []
  const work = createWork(deps, connection.id, owner, signal)
  const added = await work.add(known, version, toColumns(connection, version, mark))
  if (!added) return without
  const { priceColumn, priceMark } = added
  const arranged = await work.arrange(added.files, version.at)
  const { maxStoragePerSupplierBytes: quotaBytes } = deps.config
  const room = dropOldest(arranged, { quotaBytes, now: version.at })
  const beganAt = known.length > 0 ? (began ?? version.at) : version.at
  const era = { since: version.at, quantity: version.keyQuantityColumn, price: priceColumn }
  const eras = known.length > 0 ? columnEras : []
  const { stored } = work
  const step = { keyColumn, priceMark, columnEras: withEra(eras, era), stored }
  if (!room) return { ...step, beganAt: null, columnEras: [], files: [], obstacle: 'too-large' }
  const droppedUntil = Math.max(0, ...room.dropped.map(({ lastAt }) => lastAt))
  return { ...step, beganAt: Math.max(beganAt, droppedUntil), files: room.kept, obstacle: null }
}

function withEra(eras: readonly ColumnEra[], era: ColumnEra): ColumnEra[] {
  const last = eras.at(-1)
  const isSame = (one: string | null, other: string | null) =>
    one === other || (one !== null && other !== null && foldName(one) === foldName(other))
  if (last && isSame(last.quantity, era.quantity) && isSame(last.price, era.price)) return [...eras]
  return [...eras, era].slice(-MAX_ERAS)
}

function toColumns(
  { columnPolicy }: ConnectionRow,
  { keyColumn, keyQuantityColumn, numbers, categoryReading, dialect }: HistoricVersion,
  priceMark: ItemHistoryRow['priceMark'],
): ItemColumns {
  const { roles, stockTexts, decimalMark } = columnPolicy
  const isQuantity = ({ column }: { column: string }) =>
    keyQuantityColumn !== null && foldName(column) === foldName(keyQuantityColumn)
  return {
    keyColumn: keyColumn ?? '',
    quantityColumn: keyQuantityColumn,
    // As the key file of the version has them.
    quantityStyle: numbers?.find(isQuantity)?.used ?? decimalMark ?? 'decimals',
    stockTexts,
    roles,
    arePaths: hasPathNames(dialect),
    categoryReading,
    priceMark,
  }
}

/** A file without records need not be stored, but for that of a state. */
const orNone = (file: WrittenHistory) => (file.records > 0 ? file : null)

const toSeconds = (at: number) => Math.floor(at / 1_000)

function createWork(deps: Deps, connectionId: number, owner: string, signal: AbortSignal) {
  const locate = async ({ sha256, records }: KeptFile): Promise<HistoryFile> => ({
    path: await deps.files.locate(sha256),
    records,
  })
  const locateAll = async (files: readonly KeptFile[]) => Promise.all(files.map(locate))
  const stored: string[] = []
  const toFile = (kind: KeptFile['kind'], written: WrittenHistory): KeptFile => ({
    connectionId,
    kind,
    ...written.content,
    records: written.records,
    lastAt: written.last * 1_000,
  })
  /** Runs a task that writes scratch files. @param written which of them are stored: null for none */
  async function write<Kind extends 'historyChanges' | 'historyFold' | 'historyJoin'>(
    kind: Kind,
    count: number,
    toTask: (paths: string[]) => FileTasks[Kind]['task'],
    written: (result: FileTasks[Kind]['result']) => (WrittenHistory | null)[],
  ): Promise<FileTasks[Kind]['result']> {
    const drafts = Array.from({ length: count }, () => deps.files.createDraft(owner))
    try {
      const task = toTask(drafts.map(({ path }) => path))
      const result = await deps.readers.run(kind, task, { signal })
      for (const [index, file] of written(result).entries()) {
        if (!file) continue
        await drafts[index]?.commit(file.content)
        stored.push(file.content.sha256)
      }
      return result
    } finally {
      for (const draft of drafts) await draft.discard()
    }
  }

  async function join(files: readonly KeptFile[], thinBefore: number | null): Promise<KeptFile[]> {
    const parts = await locateAll(files)
    const joined = await write(
      'historyJoin',
      1,
      ([draft = '']) => ({ parts, thinBefore, draft }),
      (one) => [orNone(one)],
    )
    return joined.records === 0 ? [] : [toFile(files[0]?.kind ?? 'past', joined)]
  }

  async function fold(files: readonly KeptFile[], now: number): Promise<KeptFile[]> {
    const [state] = await locateAll(ofKind(files, 'state'))
    if (!state) return [...files]
    const changes = await locateAll(ofKind(files, 'changes'))
    const forgetBefore = toSeconds(now - FORGET_AFTER_MS)
    const folded = await write(
      'historyFold',
      2,
      ([first = '', second = '']) => ({
        state,
        changes,
        forgetBefore,
        drafts: { state: first, past: second },
      }),
      (result) => [result.state, orNone(result.past)],
    )
    const past = folded.past.records > 0 ? [toFile('past', folded.past)] : []
    return [toFile('state', folded.state), ...ofKind(files, 'past'), ...past]
  }

  return {
    stored,
    /** Adds what a version has changed; null when its file does not have the column of keys. */
    async add(files: readonly KeptFile[], version: HistoricVersion, columns: ItemColumns) {
      const [known] = ofKind(files, 'state')
      const state = known ? await locate(known) : null
      const changes = await locateAll(ofKind(files, 'changes'))
      const file = await deps.files.locate(version.sha256)
      const time = toSeconds(version.at)
      const { found } = await write(
        'historyChanges',
        1,
        ([draft = '']) => ({ file, state, changes, time, columns, draft }),
        ({ found: one }) => [one && (state ? orNone(one) : one)],
      )
      if (!found) return null
      const kind = state ? 'changes' : 'state'
      const hasFile = kind === 'state' || found.records > 0
      return { ...found, files: hasFile ? [...files, toFile(kind, found)] : [...files] }
    },
    /** Keeps files few: a look-up reads them all. */
    async arrange(files: readonly KeptFile[], now: number): Promise<KeptFile[]> {
      const plan = planChanges(files)
      if (plan === 'keep') return [...files]
      if (plan === 'join') {
        const joined = await join(ofKind(files, 'changes'), null)
        return [...files.filter(({ kind }) => kind !== 'changes'), ...joined]
      }
      const folded = await fold(files, now)
      const chosen = choosePastToJoin(folded)
      if (chosen.length === 0) return folded
      const keptSince = (await findKeptSince(deps.db, connectionId)) ?? now
      const joined = await join(chosen, toSeconds(keptSince))
      return [...folded.filter((file) => !chosen.includes(file)), ...joined]
    },
  }
}
