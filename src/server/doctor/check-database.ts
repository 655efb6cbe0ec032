import { describeDatabase } from '../db/database-place'
import { engineOf } from '../db/engine'
import { listMigrations } from '../db/migrate'
import { NewerDatabaseError } from '../db/newer-database'
import type { Deps } from '../domain/deps'
import { explainNewerDatabase } from '../start/explain-newer-database'
import { compareClocks, explain, type Finding } from './finding'

const PART = 'database'
/** The oldest PostgreSQL that the product is tested with. */
const OLDEST_POSTGRES = 15

export async function checkDatabaseServer(deps: Deps): Promise<Finding[]> {
  const { db, config, clock } = deps
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
    if (error instanceof NewerDatabaseError) {
      const { problem, advice } = await explainNewerDatabase(deps, error)
      return [{ part: PART, state: 'problem', text: problem, advice }]
    }
    const advice = 'Start the database, or correct DATABASE_URL.'
    return [{ part: PART, state: 'problem', text: `${place}: ${explain(error)}`, advice }]
  }
}

async function checkSchema(db: Deps['db'], text: string): Promise<Finding> {
  const { done, waiting } = await listMigrations(db)
  if (done.length === 0) return { part: PART, state: 'ok', text: `${text}, empty` }
  if (waiting.length === 0) return { part: PART, state: 'ok', text }
  const advice = 'Run npm run migrate, or start the product, which does so.'
  return { part: PART, state: 'warning', text: `${text}, of an older version`, advice }
}
