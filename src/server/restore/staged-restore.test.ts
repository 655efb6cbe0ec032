import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Config } from '../config'
import { migrateToLatest } from '../db/migrate'
import { lockDatabase } from '../db/sqlite/database-lock'
import { openDeps } from '../deps'
import { createLogger } from '../observability/logger'
import {
  makeSampleBackup,
  makeTarget,
  restore,
  type SampleBackup,
} from '../testing/fixtures/backups'
import { createAdmin } from '../testing/fixtures/factories'
import { recordRestored } from './record-restored'
import { carryOutMoves } from './restore-moves'
import { readRestoreState, writeRestoreState } from './restore-state'
import { resumeRestore, stageWhileServing } from './staged-restore'

let backup: SampleBackup
let target: Awaited<ReturnType<typeof makeTarget>>
let config: Config
let lines: string[]
const report = (line: string) => void lines.push(line)

beforeAll(async () => {
  backup = await makeSampleBackup(
    async (deps) => void (await createAdmin(deps, { username: 'of-backup' })),
  )
})
afterAll(() => backup.remove())
beforeEach(async () => {
  target = await makeTarget()
  config = { ...target.config, logLevel: 'silent' }
  lines = []
  await using(async ({ deps }) => {
    await migrateToLatest(deps.db)
    await createAdmin(deps, { username: 'of-before' })
  })
})
afterEach(() => target.remove())

const open = () => openDeps(config, createLogger(config))
type Opened = Awaited<ReturnType<typeof open>>

async function using<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = await open()
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

const stage = (file = backup.archive, signal?: AbortSignal) =>
  stageWhileServing(config, file, {
    isTrusted: false,
    now: Date.now(),
    report,
    record: (path, name) =>
      recordRestored(
        path,
        { clock: { now: () => 1 }, logger: createLogger(config) },
        { token: 't', backup: name, by: null, address: '192.0.2.1' },
      ),
    ...(signal && { signal }),
  })

const resume = () => resumeRestore(config, { now: 1, report })

const readAdmins = () =>
  using(async ({ deps }) => {
    const rows = await deps.db
      .selectFrom('users')
      .select('username')
      .where('role', '=', 'SUPER_ADMIN')
      .execute()
    return rows.map(({ username }) => username)
  })

/** What a restore leaves beside the data. */
const listLeft = async () =>
  (await readdir(config.dataDir)).filter((name) => /^(?:restore|replaced)/.test(name))

describe('a restore beside the running product', () => {
  it('changes nothing until it is completed, and then keeps what was there', async () => {
    const staged = await using(async ({ deps }) => {
      const made = await stage()
      await createAdmin(deps, { username: 'made-meanwhile' })
      expect(await readRestoreState(config.dataDir)).toBeUndefined()
      return made
    })
    expect(lines).toEqual([
      expect.stringContaining('Signed with the available key'),
      'Unpacking',
      'Checking',
      'Preparing the database',
    ])
    expect(await readAdmins()).toEqual(['of-before', 'made-meanwhile'])
    await staged.complete(report)
    expect(await readAdmins()).toEqual(['of-backup'])
    const entries = await using(({ deps }) =>
      deps.db.selectFrom('auditEntries').selectAll().orderBy('id', 'desc').limit(1).execute(),
    )
    expect(entries).toMatchObject([
      { action: 'backup.restore', subjectName: backup.name, actorName: null, origin: 'web' },
    ])
    const [replaced, ...others] = await listLeft()
    expect(others).toEqual([])
    expect(existsSync(join(config.dataDir, replaced!, 'app.db'))).toBe(true)
  })

  it('replaces nothing while another process has the database open', async () => {
    const staged = await stage()
    await using(async () => {
      await expect(staged.complete(report)).rejects.toThrow('Nothing was changed')
      await expect(open()).rejects.toThrow('is not finished')
      await resume()
    })
    expect(await readAdmins()).toEqual(['of-before'])
    expect(await listLeft()).toEqual([])
    // Another one can begin.
    await (await stage()).discard()
  })

  it('waits for processes that are ending', async () => {
    const staged = await stage()
    const close = lockDatabase(config.databaseFile)!
    const completing = staged.complete(report, 60_000)
    await expect.poll(() => readRestoreState(config.dataDir)).toMatchObject({ step: 'staging' })
    await expect(open()).rejects.toThrow('The product completes it when it starts there')
    close()
    await completing
    expect(await readAdmins()).toEqual(['of-backup'])
  })

  it('runs once at a time, and leaves nothing when it is ended early', async () => {
    const staged = await stage()
    await expect(stage()).rejects.toThrow('Another restore is running')
    await expect(restore(config, backup.archive, { replace: true })).rejects.toThrow(
      'Another restore is running',
    )
    await staged.discard()
    const ended = new AbortController()
    const staging = stage(backup.archive, ended.signal)
    ended.abort(new Error('ended'))
    await expect(staging).rejects.toThrow('ended')
    expect(await listLeft()).toEqual([])
  })
})

describe('at the next start', () => {
  it('what a killed process has staged is removed', async () => {
    await mkdir(join(config.dataDir, 'restore.tmp'))
    await writeFile(join(config.dataDir, 'restore.tmp', 'app.db'), 'half')
    await resume()
    expect(await listLeft()).toEqual([])
    await writeRestoreState(config.dataDir, { step: 'staging', isResumed: true })
    await resume()
    expect(await readAdmins()).toEqual(['of-before'])
    expect(lines).toEqual([])
  })

  it('what was being moved is completed, if it was begun in the browser', async () => {
    const staged = await stage()
    const moves = [join(config.dataDir, 'files'), config.databaseFile].map((path) => ({
      staged: join(config.dataDir, 'restore.tmp', path.split('/').at(-1)!),
      target: path,
      aside: join(config.dataDir, 'replaced-x', path.split('/').at(-1)!),
    }))
    const moving = { step: 'moving', backup: staged.backup, moves } as const
    await writeRestoreState(config.dataDir, { ...moving, isResumed: true })
    // Half of it is done.
    await carryOutMoves(moves.slice(0, 1))
    await expect(open()).rejects.toThrow('is not finished')
    // Its lock ends with the process.
    await resume()
    expect(lines).not.toContainEqual(expect.stringContaining('is restored'))
    await unlock(staged)
    await writeRestoreState(config.dataDir, { ...moving, isResumed: true })
    await resume()
    expect(lines).toContainEqual(expect.stringContaining(`${backup.name} is restored`))
    expect(await readAdmins()).toEqual(['of-backup'])
    expect(await listLeft()).toEqual(['replaced-x'])
  })

  it('a restore of the command is left to the command', async () => {
    await writeRestoreState(config.dataDir, { step: 'moving', backup: backup.name, moves: [] })
    await resume()
    await expect(open()).rejects.toThrow('Run npm run restore -- FILE again')
  })
})

/** Ends the lock of a restore as the death of its process does, and leaves what it has staged. */
async function unlock(staged: { discard(): Promise<void> }): Promise<void> {
  const [tmp, kept] = ['restore.tmp', 'kept'].map((name) => join(config.dataDir, name))
  await rename(tmp!, kept!)
  await staged.discard()
  await rename(kept!, tmp!)
}
