import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

import { readConfig, type Config } from '../config'
import type { Deps } from '../domain/deps'
import { restoreBackup } from '../restore'
import { packArchive, readArchive } from '../storage/backup-archive'
import type { BackupManifest } from '../storage/backup-manifest'
import { openFileDeps, runBackup, seedStock } from './stock'

/** A backup of a small product, in its folder and as it is downloaded. */
export type SampleBackup = {
  name: string
  manifest: BackupManifest
  folder: string
  archive: string
  remove(): Promise<void>
}

/** Makes a backup of a product with two files and three retailers, changed by `prepare`. */
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
  await pipeline(backup.openArchive(), createWriteStream(archive))
  const { name, manifest } = backup
  return {
    name,
    manifest,
    folder: join(deps.config.backupsDir, name),
    archive,
    remove: () => deps.close(),
  }
}

/** A place for a data folder, and the configuration of a product that keeps its data there. */
export async function makeTarget(): Promise<{ config: Config; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-target-'))
  return {
    config: readConfig({ DATA_DIR: join(directory, 'data'), NODE_ENV: 'test' }),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** Restores in this process, and tells what was said. */
export async function restore(config: Config, file: string, replace = false): Promise<string[]> {
  const lines: string[] = []
  const report = (line: string) => void lines.push(line)
  await restoreBackup(config, file, { replace, now: Date.now(), report })
  return lines
}

export type ArchiveEntry = { name: string; content: Buffer }

/** Writes an archive anew, with other parts than it had. */
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
