import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { sql } from 'kysely'

import { engineOf } from '../db/engine'
import type { Db } from '../db/open'
import { createPostgresSnapshots } from '../db/postgres/snapshots-postgres'

/** The stored state of an installation: its database, and its files by path. */
export type SavedState = { database: Buffer; files: Map<string, Buffer> }

/** Copies a database into memory, from which `openDatabase` can open any number of copies. */
export async function saveDatabase(db: Db): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-database-'))
  const file = join(directory, 'app.db')
  try {
    await (engineOf(db).name === 'SQLite'
      ? sql`vacuum into ${file}`.execute(db)
      : createPostgresSnapshots(db).write(file, new AbortController().signal))
    return await readFile(file)
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** Reads all files below a folder, by path relative to it. */
export async function saveFiles(directory: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((file) => join(file.parentPath, file.name))
  const files = paths.map(
    async (path) => [path.slice(directory.length), await readFile(path)] as const,
  )
  return new Map(await Promise.all(files))
}

export async function writeFiles(directory: string, files: SavedState['files']): Promise<void> {
  for (const [path, content] of files) {
    const target = join(directory, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content)
  }
}
