import { setImmediate } from 'node:timers/promises'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Config } from '../config'
import {
  changeDatabase,
  makeSampleBackup,
  makeTarget,
  repack,
  replaceDatabase,
  restore,
  type SampleBackup,
} from '../testing/fixtures/backups'
import { makeEndlessDatabase } from '../testing/fixtures/endless-database'

const TRIGGER = `create trigger promote after insert on users
  begin update users set role = 'SUPER_ADMIN' where id = new.id; end;`

let backup: SampleBackup
let target: Awaited<ReturnType<typeof makeTarget>>
/** A target without a key, where the signature of the backup cannot be checked. */
let withoutKey: Config
let changed: string

beforeAll(async () => {
  backup = await makeSampleBackup()
  changed = `${backup.archive}.changed`
})
afterAll(() => backup.remove())
beforeEach(async () => {
  target = await makeTarget()
  withoutKey = { ...target.config, encryptionKey: undefined }
})
afterEach(() => target.remove())

const change = (edit: Parameters<typeof repack>[2]) => repack(backup.archive, changed, edit)

describe('a backup whose database', () => {
  it.each([
    ['has a trigger', TRIGGER, 'trigger promote'],
    ['has a view', 'create view everything as select * from users', 'view everything'],
    ['has an additional table', 'create table notes (text)', 'table notes'],
    ['has an additional index', 'create index userRoles on users (role)', 'index userRoles'],
    ['has a virtual table', 'create virtual table texts using fts5 (text)', 'table texts'],
    ['has an additional column', 'alter table users add column note', 'table users'],
    ['lacks an index', 'drop index attemptsSubject', 'index attemptsSubject'],
    [
      'has a view in place of a table',
      'drop table attempts; create view attempts as select * from users',
      'view attempts',
    ],
    ['has a name with terminal escapes', 'create table "\u001b[2J\u202e" (text)', 'table ?[2J?'],
  ])('%s is refused even with --trust', async (_what, statements, named) => {
    await change(changeDatabase(statements))
    await expect(restore(withoutKey, changed, { trust: true })).rejects.toThrow(
      `The backup is damaged: the database schema is not the product’s: ${named}`,
    )
  })

  it('has statistics of SQLite’s query planner is restored', async () => {
    await change(changeDatabase('analyze'))
    const lines = await restore(withoutKey, changed, { trust: true })
    expect(lines).toContain(`${backup.name} is restored. Everybody has to sign in again.`)
  })

  it('takes too long to read is refused after the time limit', async () => {
    await change(
      replaceDatabase(() => ({
        content: makeEndlessDatabase(),
        rowCounts: backup.manifest.database.rowCounts,
      })),
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const restoring = restore(withoutKey, changed, { trust: true }).catch((error: Error) => error)
    const isOver = () => Promise.race([restoring.then(() => true), setImmediate(false)])
    while (!(await isOver())) vi.advanceTimersByTime(1_000)
    vi.useRealTimers()
    expect(await restoring).toHaveProperty(
      'message',
      'The backup is damaged: reading the database failed: it takes too long',
    )
  })
})
