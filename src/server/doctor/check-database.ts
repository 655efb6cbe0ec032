import { describeDatabase } from '../db/database-place'
import { engineOf } from '../db/engine'
import { findUnknownMigrations, listMigrations } from '../db/migrate'
import type { Deps } from '../domain/deps'
import { compareClocks, explain, type Finding } from './finding'

const PART = 'database'
/** The oldest PostgreSQL that the product is tested with. */
const OLDEST_POSTGRES = 15

export async function checkDatabaseServer({ db, config, clock }: Deps): Promise<Finding[]> {
  const place = describeDatabase(config)
  try {
    const { name } = engineOf(db)
    const { version, now } = await engineOf(db).readServer()
    const text = `${place}, ${name} ${version}`
    if (name === 'PostgreSQL' && Number.parseInt(version) < OLDEST_POSTGRES) {
      const advice = `Use PostgreSQL ${OLDEST_POSTGRES} or newer.`
      return [{ part: PART, state: 'problem', text, advice }]
    }
    const clocks = now === null ? [] : compareClocks(PART, now, clock.now())
    return [await checkSchema(db, text), ...clocks]
  } catch (error) {
    const advice = 'Start the database, or correct DATABASE_URL.'
    return [{ part: PART, state: 'problem', text: `${place}: ${explain(error)}`, advice }]
  }
}

async function checkSchema(db: Deps['db'], text: string): Promise<Finding> {
  const { done, waiting } = await listMigrations(db)
  const unknown = findUnknownMigrations(done)
  if (unknown.length > 0) {
    const newer = `${text}, migrated by a newer version (${unknown.join(', ')})`
    return { part: PART, state: 'problem', text: newer, advice: 'Install that version here too.' }
  }
  if (done.length === 0) return { part: PART, state: 'ok', text: `${text}, empty` }
  if (waiting.length === 0) return { part: PART, state: 'ok', text }
  const advice = 'Run npm run migrate, or start the product, which does so.'
  return { part: PART, state: 'warning', text: `${text}, of an older version`, advice }
}
