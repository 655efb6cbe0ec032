import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readChangeFingerprint } from './change-fingerprint'
import { inTransaction, openDatabase, type Db } from './open'

let folder: string
let here: Db
/** A second connection to the file, as another process has. */
let there: Db

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-fingerprint-'))
  here = openDatabase(join(folder, 'app.db'))
  there = openDatabase(join(folder, 'app.db'))
  await sql`create table t (x)`.execute(here)
})
afterEach(async () => {
  await here.destroy()
  await there.destroy()
  await rm(folder, { recursive: true })
})

const write = (db: Db) => inTransaction(db, (trx) => sql`insert into t values (1)`.execute(trx))

describe('the change fingerprint', () => {
  it.each([
    ['this process', () => here],
    ['another process', () => there],
  ])('changes when %s has written, and not when it has read', async (_who, writer) => {
    const before = await readChangeFingerprint(here)
    await write(writer())
    const after = await readChangeFingerprint(here)
    expect(after).not.toBe(before)
    await sql`select * from t`.execute(there)
    expect(await readChangeFingerprint(here)).toBe(after)
  })
})
