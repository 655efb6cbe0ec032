import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { readConfig, type Config } from '../config'
import type { Deps } from '../domain/deps'
import { restoreBackup } from '../restore'
import { packArchive, readArchive } from '../storage/backup-archive'

const TYPESCRIPT = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const DYING_PROCESS = fileURLToPath(new URL('dying-process.ts', import.meta.url))

/** An empty data folder, and the configuration of a product that keeps its data there. */
export async function makeDataFolder(
  environment: Record<string, string> = {},
): Promise<{ config: Config; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-data-'))
  return {
    config: readConfig({ DATA_DIR: join(directory, 'data'), NODE_ENV: 'test', ...environment }),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** Downloads the newest backup into a file. */
export async function downloadNewest(deps: Deps, path: string): Promise<void> {
  const [backup] = await deps.backups.list()
  if (!backup) throw new Error('There is no backup')
  await pipeline(backup.openArchive(), createWriteStream(path))
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

/** Restores in this process, and tells what was said. */
export async function restore(config: Config, file: string, replace = false): Promise<string[]> {
  const lines: string[] = []
  const report = (line: string) => void lines.push(line)
  await restoreBackup(config, file, { replace, now: Date.now(), report })
  return lines
}

/**
 * Backs up, or restores `file`, in a process that is killed before its n-th file operation.
 * @returns how many operations there were; null when it died
 */
export async function runUntilKilled(
  dieAt: number,
  args: ['backup'] | ['restore', string],
  dataDir: string,
): Promise<number | null> {
  const child = spawn(
    process.execPath,
    ['--import', TYPESCRIPT, DYING_PROCESS, `${dieAt}`, ...args],
    { env: { DATA_DIR: dataDir }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const exited = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.on('exit', (code, signal) => resolve([code, signal]))
  })
  const [[code, signal], out, err] = await Promise.all([
    exited,
    text(child.stdout),
    text(child.stderr),
  ])
  if (signal === 'SIGKILL') return null
  if (code !== 0) throw new Error(`The process ended with ${code}:\n${err}`)
  return Number(out)
}
