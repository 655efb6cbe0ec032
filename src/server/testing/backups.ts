import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

import BetterSqlite3 from 'better-sqlite3'

import { readConfig, type Config } from '../config'
import type { Deps } from '../domain/deps'
import { restoreBackup } from '../restore/restore'
import { packArchive } from '../storage/backup-archive'
import type { BackupManifest } from '../storage/backup-manifest'
import { readArchive } from '../storage/read-archive'
import { openFileDeps, runBackup, seedStock } from './stock'
import { TEST_KEY } from './test-deps'

/** A backup of a small installation, as a folder and as a downloaded archive. */
export type SampleBackup = {
  name: string
  manifest: BackupManifest
  folder: string
  archive: string
  remove(): Promise<void>
}

/** Makes a backup of an installation with two files and three retailers, modified by `prepare`. */
export async function makeSampleBackup(
  prepare: (deps: Deps) => Promise<void> = async () => undefined,
): Promise<SampleBackup> {
  const deps = await openFileDeps()
  await seedStock(deps, { files: ['sku,qty\r\n1,5\r\n', 'sku,qty\r\n2,7\r\n'], retailers: 3 })
  await prepare(deps)
  await runBackup(deps)
  const [backup] = await deps.backups.list()
  if (!backup) throw new Error('There is no backup')
  const archive = join(deps.config.dataDir, `${backup.name}.tar`)
  await pipeline((await backup.openArchive())!, createWriteStream(archive))
  const { name, manifest } = backup
  return {
    name,
    manifest,
    folder: join(deps.config.backupsDir, name),
    archive,
    remove: () => deps.close(),
  }
}

/** The configuration for restoring into a new data folder, with the key of the sample backups. */
export async function makeTarget(): Promise<{ config: Config; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-target-'))
  return {
    config: {
      ...readConfig({ DATA_DIR: join(directory, 'data'), NODE_ENV: 'test' }),
      encryptionKey: TEST_KEY,
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** Restores in this process and returns the reported lines. */
export async function restore(
  config: Config,
  file: string,
  { replace = false, trust = false } = {},
): Promise<string[]> {
  const lines: string[] = []
  const report = (line: string) => void lines.push(line)
  await restoreBackup(config, file, { replace, trust, now: Date.now(), report })
  return lines
}

export type ArchiveEntry = { name: string; content: Buffer }

/** Writes a copy of an archive with edited parts. */
export async function repack(
  from: string,
  to: string,
  edit: (parts: ArchiveEntry[]) => ArchiveEntry[],
): Promise<void> {
  const parts: ArchiveEntry[] = []
  for await (const { name, content } of readArchive(from)) {
    parts.push({ name, content: await buffer(content) })
  }
  const edited = edit(parts).map(({ name, content }) => ({
    name,
    sizeBytes: content.byteLength,
    open: () => Readable.from([content]),
  }))
  await pipeline(packArchive(edited, new Date(0)), createWriteStream(to))
}

/** Edits the manifest of an archive without updating its signature. */
export function editManifest(edit: (manifest: BackupManifest) => unknown) {
  return ([first, ...rest]: ArchiveEntry[]): ArchiveEntry[] => {
    const manifest = JSON.parse(first!.content.toString()) as BackupManifest
    return [{ ...first!, content: Buffer.from(JSON.stringify(edit(manifest))) }, ...rest]
  }
}

type RowCounts = BackupManifest['database']['rowCounts']

/** Replaces the database of an archive and makes the manifest match, as an attacker could. */
export function replaceDatabase(
  change: (content: Buffer) => { content: Buffer; rowCounts: RowCounts },
) {
  return ([manifest, database, ...rest]: ArchiveEntry[]): ArchiveEntry[] => {
    const { content, rowCounts } = change(database!.content)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const described = { sha256, sizeBytes: content.byteLength, rowCounts }
    const edit = editManifest((earlier) => ({ ...earlier, database: described }))
    return edit([manifest!, { ...database!, content }, ...rest])
  }
}

/** Runs statements on the database of an archive and makes the manifest match. */
export function changeDatabase(statements: string) {
  return replaceDatabase((earlier) => {
    const sqlite = new BetterSqlite3(earlier)
    sqlite.exec(statements)
    const changed = { content: sqlite.serialize(), rowCounts: countRows(sqlite) }
    sqlite.close()
    return changed
  })
}

function countRows(sqlite: BetterSqlite3.Database): RowCounts {
  const tables = sqlite
    .prepare(
      `select name from sqlite_schema
      where type = 'table' and name not like 'sqlite%' and name <> 'changes'`,
    )
    .pluck()
    .all() as string[]
  const count = (table: string) => sqlite.prepare(`select count(*) from "${table}"`).pluck().get()
  return Object.fromEntries(tables.map((table) => [table, count(table) as number]))
}
