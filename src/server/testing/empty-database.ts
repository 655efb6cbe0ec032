import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'

import { migrateToLatest } from '../db/migrate'
import { openDatabase, type Db } from '../db/open'

let image: Promise<Buffer> | undefined

/**
 * A database in memory with the newest schema and no rows. The migrations run once per process; each
 * database is a copy of what they made.
 */
export async function openEmptyDatabase(): Promise<Db> {
  image ??= createImage()
  return openDatabase(await image)
}

async function createImage(): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-schema-'))
  const file = join(directory, 'app.db')
  const db = openDatabase(':memory:')
  try {
    await migrateToLatest(db)
    await sql`vacuum into ${file}`.execute(db)
    return await readFile(file)
  } finally {
    await db.destroy()
    await rm(directory, { recursive: true })
  }
}
