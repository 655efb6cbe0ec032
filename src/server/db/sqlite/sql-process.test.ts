import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeEndlessDatabase } from '../../testing/fixtures/endless-database'
import { limitSql, SqlProcessError } from './sql-process'

const SIGNAL = new AbortController().signal
const TOO_LONG = new SqlProcessError('it takes too long')
const AMPLE_MS = 60_000
const COUNT = [{ sql: 'select count(*) as count from sqlite_schema' }]
const ENDLESS = [
  { sql: 'with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n' },
]

let directory: string
let file: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-sql-'))
  file = join(directory, 'app.db')
  await writeFile(file, '')
})
afterEach(() => rm(directory, { recursive: true }))

describe('statements in a separate process', () => {
  it('return their rows', async () => {
    const statements = [...COUNT, { sql: 'select ? as one, ? as two', parameters: [1, 'x'] }]
    expect(await limitSql(AMPLE_MS)(file, statements, SIGNAL)).toEqual([
      [{ count: 0 }],
      [{ one: 1, two: 'x' }],
    ])
  })

  it('throw SQLite’s error with its code', async () => {
    await writeFile(file, 'no database'.repeat(1_000))
    await expect(limitSql(AMPLE_MS)(file, COUNT, SIGNAL)).rejects.toMatchObject({
      code: 'SQLITE_NOTADB',
      message: 'file is not a database',
    })
  })

  it('cannot write', async () => {
    const statements = [{ sql: 'create table t (a)' }]
    await expect(limitSql(AMPLE_MS)(file, statements, SIGNAL)).rejects.toMatchObject({
      code: 'SQLITE_READONLY',
    })
  })

  it('do not trust the schema of the file', async () => {
    const statements = [{ sql: 'pragma trusted_schema' }, { sql: 'pragma cell_size_check' }]
    expect(await limitSql(AMPLE_MS)(file, statements, SIGNAL)).toEqual([
      [{ trusted_schema: 0 }],
      [{ cell_size_check: 1 }],
    ])
  })

  it('are killed in the middle of one when they reach the time limit', async () => {
    await expect(limitSql(1_000)(file, ENDLESS, SIGNAL)).rejects.toThrow(TOO_LONG)
  })

  it('are killed at the time limit when the file itself keeps SQLite busy', async () => {
    await writeFile(file, makeEndlessDatabase())
    await expect(limitSql(1_000)(file, COUNT, SIGNAL)).rejects.toThrow(TOO_LONG)
  })

  it('fail when their process is killed', async () => {
    const kill = (message: unknown) => {
      const { process: child } = message as { process: ChildProcess }
      child.once('spawn', () => child.kill('SIGKILL'))
    }
    subscribe('child_process', kill)
    const running = limitSql(AMPLE_MS)(file, ENDLESS, SIGNAL)
    unsubscribe('child_process', kill)
    await expect(running).rejects.toThrow(new SqlProcessError('its process exited unexpectedly'))
  })

  it('are killed, or not started, when their signal fires', async () => {
    const stop = new AbortController()
    const running = limitSql(AMPLE_MS)(file, ENDLESS, stop.signal)
    stop.abort(new Error('Stopped'))
    await expect(running).rejects.toThrow('Stopped')
    await expect(limitSql(AMPLE_MS)(file, COUNT, stop.signal)).rejects.toThrow('Stopped')
  })
})
