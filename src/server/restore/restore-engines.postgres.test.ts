import { join } from 'node:path'

import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Config } from '../config'
import { listTables } from '../db/queries-kit/copy-rows'
import { openDeps } from '../deps'
import type { Deps } from '../domain/deps'
import { login } from '../features/people/accounts/accounts'
import { findUser } from '../features/people/accounts/users.queries'
import { createLogger } from '../observability/logger'
import { makeSampleBackup, makeTarget, type SampleBackup } from '../testing/fixtures/backups'
import { ADDRESS, createMember, PASSWORD } from '../testing/fixtures/factories'
import { putInvitation } from '../testing/fixtures/invitation-samples'
import { putReceivedFile, runBackup } from '../testing/fixtures/stock'
import { createPostgresDatabase } from '../testing/stages/test-database'
import { restoreBackup } from './restore'

const NOW = Date.UTC(2026, 1, 1)

let backup: SampleBackup
let onSqlite: Awaited<ReturnType<typeof makeTarget>>
let onPostgres: Awaited<ReturnType<typeof makeTarget>>
let back: Awaited<ReturnType<typeof makeTarget>>

beforeEach(async () => {
  backup = await makeSampleBackup(addReferences)
  ;[onSqlite, onPostgres, back] = await Promise.all([makeTarget(), makeTarget(), makeTarget()])
  onPostgres.config.postgresUrl = await createPostgresDatabase()
})
afterEach(async () => {
  await Promise.all([backup, onSqlite, onPostgres, back].map((one) => one.remove()))
})

/** Rows that refer to rows of tables whose names come later, and of their own. */
async function addReferences(deps: Deps): Promise<void> {
  const { id } = await deps.db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'SUPPLIER')
    .executeTakeFirstOrThrow()
  const supplier = (await findUser(deps.db, id))!
  await createMember(deps, supplier, 'EDITOR')
  await putInvitation(deps, supplier)
  const connection = await deps.db.selectFrom('connections').select('id').executeTakeFirstOrThrow()
  const fileId = await putReceivedFile(deps, connection.id)
  await deps.db
    .updateTable('receivedFiles')
    .set({ receivedBy: supplier.id })
    .where('id', '=', fileId)
    .execute()
}

async function restore(config: Config, file: string, replace = false): Promise<string[]> {
  const lines: string[] = []
  const report = (line: string) => void lines.push(line)
  await restoreBackup(config, file, { replace, trust: false, now: NOW, report })
  return lines
}

async function use<T>(config: Config, work: (deps: Deps) => Promise<T>): Promise<T> {
  const { deps, close } = await openDeps(config, createLogger({ logLevel: 'silent' }))
  try {
    return await work(deps)
  } finally {
    await close()
  }
}

/** A row, whatever the order of its columns. */
const toComparable = (row: Record<string, unknown>) =>
  JSON.stringify(
    Object.fromEntries(
      Object.keys(row)
        .toSorted()
        .map((key) => [key, row[key]]),
    ),
  )

/** All rows and files of an installation. */
const readAll = (config: Config) =>
  use(config, async ({ db, files }) => {
    const rows: Record<string, string[]> = {}
    for (const { name } of await listTables(db)) {
      const all = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
      rows[name] = all.rows.map(toComparable).toSorted()
    }
    const hashes: string[] = []
    for await (const { sha256 } of files.list()) hashes.push(sha256)
    return { rows, hashes: hashes.toSorted() }
  })

describe('a backup', () => {
  it('restores from SQLite to PostgreSQL and back, with every row and every file', async () => {
    await restore(onSqlite.config, backup.archive)
    const expected = await readAll(onSqlite.config)
    expect(expected.rows.users).toHaveLength(5)
    await restore(onPostgres.config, backup.archive)
    expect(await readAll(onPostgres.config)).toEqual(expected)
    const archive = await use(onPostgres.config, async (deps) => {
      await runBackup(deps)
      return join(deps.config.backupsDir, (await deps.backups.list())[0]!.name)
    })
    await restore(back.config, archive)
    expect(await readAll(back.config)).toEqual(expected)
  })

  it('lets people sign in on PostgreSQL, and new rows get new ids', async () => {
    await restore(onPostgres.config, backup.archive)
    await use(onPostgres.config, async (deps) => {
      const users = await deps.db.selectFrom('users').select(['id', 'username']).execute()
      const { username } = users.find((user) => user.username.startsWith('shop'))!
      expect(await login(deps, { username, password: PASSWORD }, ADDRESS)).toMatchObject({
        username,
      })
      const { id } = await deps.db
        .insertInto('users')
        .values({ username: 'new', usernameKey: 'new', role: 'SUPPLIER', createdAt: NOW })
        .returning('id')
        .executeTakeFirstOrThrow()
      expect(id).toBe(Math.max(...users.map((user) => user.id)) + 1)
    })
  })

  it('replaces rows in PostgreSQL only when asked to, and keeps them as a file', async () => {
    await restore(onPostgres.config, backup.archive)
    await use(onPostgres.config, ({ db }) =>
      db.updateTable('users').set({ companyName: 'Changed' }).execute(),
    )
    await expect(restore(onPostgres.config, backup.archive)).rejects.toThrow('--replace')
    const lines = await restore(onPostgres.config, backup.archive, true)
    const kept = /is in (?<folder>.*)/.exec(lines.at(-1) ?? '')?.groups?.folder ?? ''
    const databaseFile = join(kept, 'restored.db')
    const earlier = await readAll({ ...onSqlite.config, databaseFile })
    expect(earlier.rows.users?.every((row) => row.includes('Changed'))).toBe(true)
    const now = await readAll(onPostgres.config)
    expect(now.rows.users?.some((row) => row.includes('Changed'))).toBe(false)
  })

  it('is refused while the product uses the database', async () => {
    await restore(onPostgres.config, backup.archive)
    await use(onPostgres.config, async ({ db }) => {
      await db.selectFrom('users').select('id').execute()
      await expect(restore(onPostgres.config, backup.archive, true)).rejects.toThrow('in use')
    })
  })
})
