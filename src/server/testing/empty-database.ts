import { migrateToLatest } from '../db/migrate'
import { openDatabase } from '../db/open'
import { saveDatabase } from './saved-state'

let image: Promise<Buffer> | undefined

/**
 * The file of a database with the newest schema and no rows. The migrations run once per process;
 * each database is a copy of their result.
 */
export function copyEmptyDatabase(): Promise<Buffer> {
  image ??= createImage()
  return image
}

async function createImage(): Promise<Buffer> {
  const db = openDatabase(':memory:')
  try {
    await migrateToLatest(db)
    return await saveDatabase(db)
  } finally {
    await db.destroy()
  }
}
