import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'

import { migrateToLatest } from '../../db/migrate'
import { openPostgres } from '../../db/postgres/open-postgres'
import { startPostgresServer } from '../servers/postgres-server'
import { setup as setUpS3 } from './s3-setup'

const TEMPLATE = 'template'

/**
 * Starts a PostgreSQL server for all tests of a run, with a database that theirs are copies of. With
 * TEST_FILES=s3 their files are in a bucket.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgresServer()
  const admin = server.toUrl('postgres')
  const maintenance = openPostgres(admin, () => undefined)
  await sql`create database ${sql.ref(TEMPLATE)}`.execute(maintenance)
  await maintenance.destroy()
  const template = openPostgres(server.toUrl(TEMPLATE), () => undefined)
  await migrateToLatest(template)
  await template.destroy()
  project.provide('postgresUrl', { admin, template: TEMPLATE })
  const closeS3 = process.env.TEST_FILES === 's3' ? await setUpS3(project) : undefined
  return async () => {
    await closeS3?.()
    await server.close()
  }
}
