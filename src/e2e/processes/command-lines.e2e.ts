import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openDatabase } from '../../server/db/open'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-commands-'))
})
afterEach(() => rm(directory, { recursive: true }))

/** Runs a command of the build on the test's data directory and waits for it to exit. */
async function run(script: string, args: string[] = [], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [resolve('scripts/run.mjs'), script, ...args], {
    cwd: directory,
    env: { DATA_DIR: join(directory, 'data'), ...environment },
  })
  const exited = new Promise<number | null>((done) => {
    child.on('exit', done)
  })
  const [code, out, err] = await Promise.all([exited, text(child.stdout), text(child.stderr)])
  return { code, out, err }
}

async function writeSeeds(content: string, name = 'seeds.csv') {
  await writeFile(join(directory, name), content)
  return name
}

/** What the commands have recorded: the action, its subject and the kind of process. */
async function readAuditLog() {
  const db = openDatabase(join(directory, 'data/app.db'))
  const rows = await db.selectFrom('auditEntries').selectAll().orderBy('id').execute()
  await db.destroy()
  return rows.map(({ action, subjectName, origin }) => [action, subjectName, origin])
}

const HEADER = 'username,password,companyName,contactEmail'
const row = (username: string) => `${username},correct horse,Company,a@example.com`

describe('a database that a newer version has migrated', () => {
  it('is refused by every program with one sentence, and what to do', async () => {
    await run('create-admin', ['admin'])
    const db = openDatabase(join(directory, 'data/app.db'))
    await sql`insert into kysely_migration (name, timestamp) values ('9999-most', '')`.execute(db)
    await db.destroy()
    const seeds = await writeSeeds(`${HEADER}\n${row('acme')}`)
    const newer =
      /^A newer version of the product has migrated the database to 9999-most, and this version, \d+\.\d+\.\d+, knows migrations up to .*\. Install the newer version here too.*\n$/
    for (const script of [
      'main',
      'worker',
      'migrate',
      'backup',
      'create-admin',
      'seed-suppliers',
    ]) {
      const args = { 'create-admin': ['admin'], 'seed-suppliers': [seeds] }[script]
      const { code, err } = await run(script, args, { PORT: '0', WORKER_PORT: '0' })
      expect([script, code, err]).toEqual([script, 1, expect.stringMatching(newer)])
    }
    const { code, out } = await run('doctor')
    expect(code).toBe(1)
    expect(out).toMatch(
      /problem +database +A newer version .*\n +Install the newer version here too/,
    )
  })
})

describe('seed-suppliers', () => {
  it('writes nothing when anything is invalid, reports all of it by line, and exits with 1', async () => {
    const bad = 'bcme,short,"two\nlines",nobody'
    const content = [HEADER, row('acme'), '', bad, row('ccme'), row('асme'), row('ac\u200Bme')]
    const file = await writeSeeds(content.join('\n'))
    const { code, out, err } = await run('seed-suppliers', [file])
    expect([code, out]).toEqual([1, ''])
    expect(err.split('\n')).toEqual([
      'line 4: Password must be at least 6 characters (password)',
      'line 4: Company name contains characters that are not allowed (companyName)',
      'line 4: Invalid email address (contactEmail)',
      expect.stringMatching(/^line 7: Username must keep to the letters of one script/),
      expect.stringMatching(/^line 8: Username contains characters that cannot be seen/),
      'Nothing was written because of 5 problems',
      '',
    ])
    await writeSeeds([HEADER, row('acme'), row('ccme')].join('\n'))
    expect((await run('seed-suppliers', [file])).out).toBe(
      'line 2: acme created\nline 3: ccme created\n2 created, 0 updated, 0 unchanged\n',
    )
  })

  it('writes nothing when a name belongs to another account', async () => {
    await run('create-admin', ['boss'])
    const file = await writeSeeds([HEADER, row('acme'), row('boss')].join('\n'))
    expect(await run('seed-suppliers', [file])).toEqual({
      code: 1,
      out: '',
      err:
        'line 3: The username boss belongs to another SUPER_ADMIN account\n' +
        'Nothing was written because of 1 problem\n',
    })
  })

  it('updates existing suppliers when run again, and tells which already match', async () => {
    const file = await writeSeeds(`${HEADER}\n${row('acme')}\n`)
    expect(await run('seed-suppliers', [file])).toMatchObject({ code: 0, err: '' })
    expect(await run('seed-suppliers', [file])).toEqual({
      code: 0,
      out: 'line 2: acme unchanged\n0 created, 0 updated, 1 unchanged\n',
      err: '',
    })
    await writeSeeds(`${HEADER}\n${row('acme').replace('Company', 'Acme Tools')}\n`)
    expect(await run('seed-suppliers', [file])).toMatchObject({
      code: 0,
      out: 'line 2: acme updated\n0 created, 1 updated, 0 unchanged\n',
    })
  })

  it('reads JSON for a .json file or with --json', async () => {
    const supplier = { username: 'acme', password: 'correct horse', companyName: 'Acme' }
    const seeds = JSON.stringify([{ ...supplier, contactEmail: 'a@example.com' }])
    const byName = await run('seed-suppliers', [await writeSeeds(seeds, 'seeds.json')])
    expect(byName).toMatchObject({
      code: 0,
      out: expect.stringContaining('acme created') as string,
    })
    const byFlag = await run('seed-suppliers', [await writeSeeds(seeds, 'seeds.txt'), '--json'])
    expect(byFlag).toMatchObject({
      code: 0,
      out: expect.stringContaining('acme unchanged') as string,
    })
  })

  it.each([
    ['no file', [], 'Specify the file to read'],
    ['a file that is not there', ['nowhere.csv'], 'nowhere.csv does not exist'],
    ['an unknown option', ['--jsn'], "Unknown option '--jsn'"],
  ])('shows its help for %s', async (_what, args, message) => {
    const { code, err } = await run('seed-suppliers', args)
    expect(code).toBe(2)
    expect(err).toContain(message)
    expect(err).toContain('Usage: npm run seed:suppliers -- FILE [--json]')
  })

  it('rejects a file without the required columns', async () => {
    const { code, err } = await run('seed-suppliers', [await writeSeeds('a;b;c\n1;2;3\n')])
    expect(code).toBe(2)
    expect(err).toContain('seeds.csv: The header lacks username, password')
  })
})

describe('create-admin', () => {
  it('generates and prints a password unless one is given', async () => {
    const { code, out } = await run('create-admin', ['boss'])
    expect(out).toMatch(/^Administrator boss created\nPassword: [\w-]{16}\n$/)
    expect(code).toBe(0)
    const given = await run('create-admin', ['boss'], { ADMIN_PASSWORD: 'correct horse' })
    expect(given).toEqual({ code: 0, out: 'Administrator boss updated\n', err: '' })
    expect(await readAuditLog()).toEqual([
      ['administrator.create', 'boss', 'script'],
      ['administrator.set-password', 'boss', 'script'],
    ])
  })

  it('rejects a username that could be mistaken for another', async () => {
    const { code, out, err } = await run('create-admin', ['аdmin'])
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(
      /^Username must keep to the letters of one script, such as Latin or Cyrillic\n/,
    )
  })

  it('rejects the username of a supplier', async () => {
    await run('seed-suppliers', [await writeSeeds(`${HEADER}\n${row('acme')}\n`)])
    const { code, out, err } = await run('create-admin', ['acme'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toBe('acme is the name of a SUPPLIER account\n')
  })
})

describe('every command', () => {
  it.each([
    'seed-suppliers',
    'create-admin',
    'migrate',
    'upgrade-check',
    'doctor',
    'backup',
    'restore',
    'reseal',
  ])('prints its help: %s', async (script) => {
    const { code, out, err } = await run(script, ['--help'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Usage: npm run ')
  })

  it('tells programs what the doctor found, and nothing else', async () => {
    const { code, out, err } = await run('doctor', ['--json'])
    expect([code, err]).toEqual([0, ''])
    const said = JSON.parse(out) as { version: string; findings: { part: string; state: string }[] }
    expect(said.version).toMatch(/^\d+\.\d+\.\d+$/)
    const database = said.findings.find(({ part }) => part === 'database')
    expect(database).toMatchObject({ state: 'ok' })
  })

  it('names every invalid variable', async () => {
    const { code, err } = await run('migrate', [], { PORT: 'http', LOG_LEVEL: 'loud' })
    expect(code).toBe(1)
    expect(err).toMatch(/PORT[\s\S]*LOG_LEVEL/)
  })
})

describe('migrate', () => {
  it('lists the migrations it ran, or says that the database is up to date', async () => {
    expect(await run('migrate')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Ran 0001-initial(?:, \d{4}-[\w-]+)*\n$/) as string,
    })
    const again = await run('migrate')
    expect(again).toMatchObject({
      code: 0,
      out: expect.stringContaining('is up to date') as string,
    })
  })
})

describe('backup and restore', () => {
  it('copy the data of one folder to another', async () => {
    await run('create-admin', ['boss'], { ADMIN_PASSWORD: 'correct horse' })
    const backup = await run('backup')
    expect(backup).toMatchObject({ code: 0, err: '' })
    const [, folder = ''] = /^(\S+) is made and checked \(.* [KM]B\)$/m.exec(backup.out) ?? []

    const elsewhere = { DATA_DIR: join(directory, 'elsewhere') }
    const refused = await run('restore', [folder], elsewhere)
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/it is signed with key [0-9a-f]{8}, which is not available here\./)
    expect(refused.err).toContain(`npm run restore -- ${folder} --trust\n`)

    const key = await readFile(join(directory, 'data/encryption-key'))
    await writeFile(join(elsewhere.DATA_DIR, 'encryption-key'), key)
    const restored = await run('restore', [folder], elsewhere)
    expect(restored).toMatchObject({ code: 0, err: '' })
    expect(restored.out).toMatch(
      /^stockbridge-\S+ is restored\. Everybody has to sign in again\.$/m,
    )
    const admin = await run('create-admin', ['boss'], elsewhere)
    expect(admin.out).toMatch(/^Administrator boss updated\n/)

    const again = await run('restore', [folder], elsewhere)
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('With --replace')])
  })

  it('show the help when no backup is named', async () => {
    const { code, err } = await run('restore')
    expect(code).toBe(2)
    expect(err).toContain('Specify the backup to restore')
    expect(err).toContain('Usage: npm run restore -- FILE [--replace] [--trust]')
  })
})

describe('reseal', () => {
  it('lets another encryption key replace the one before', async () => {
    const connection = { url: 'http://127.0.0.1:1/feed.csv?key=open-sesame' }
    const supplier = { username: 'acme', password: 'correct horse', companyName: 'Acme' }
    const seeds = [{ ...supplier, contactEmail: 'a@example.com', connection, retailers: [] }]
    await run('seed-suppliers', [await writeSeeds(JSON.stringify(seeds), 'seeds.json')])
    const before = join(directory, 'data/encryption-key')
    const [next, other] = ['1', '2'].map((digit) => ({ ENCRYPTION_KEY: digit.repeat(64) }))

    const unknown = await run('reseal', [], other)
    expect(unknown.code).toBe(1)
    expect(unknown.err).toMatch(
      /^1 connection, 0 webhooks, 0 mail inboxes and 0 second factors could not be decrypted .*key [0-9a-f]{8}/,
    )
    const both = { ...next, ENCRYPTION_KEY_PREVIOUS_FILE: before }
    expect(await run('reseal', [], both)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(
        /^1 connection, 0 webhooks, 0 mail inboxes and 0 second factors newly encrypted/,
      ) as string,
    })
    expect(await run('reseal', [], next)).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^0 connections, 0 webhooks, 0 mail inboxes and 0 second factors/,
      ) as string,
    })
  })
})
