import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { OfferedBackup, RestoreProgress } from '../../shared/schemas/setup'
import { readConfig } from '../config'
import { makeSampleBackup, type SampleBackup } from '../testing/fixtures/backups'
import { writeClientFiles } from '../testing/fixtures/client-files'
import { createAdmin, PASSWORD } from '../testing/fixtures/factories'
import { TEST_KEY } from '../testing/stages/test-deps'
import { serve, type RunningServer } from './serve'

const KEY = { ENCRYPTION_KEY: TEST_KEY.toString('hex') }

let backup: SampleBackup
let directory: string
let dataDir: string
let starting: Promise<RunningServer> | undefined
let setup: { url: string; token: string }

beforeAll(async () => {
  backup = await makeSampleBackup(
    async (deps) => void (await createAdmin(deps, { username: 'of-backup' })),
  )
})
afterAll(() => backup.remove())
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-first-'))
  dataDir = join(directory, 'data')
  await writeClientFiles(join(directory, 'client'))
})
afterEach(async () => {
  // One that waits still is told to go on.
  if (starting) {
    await post('', { username: 'operator', password: 'correct horse' }).catch(() => undefined)
    await (await starting).close()
  }
  starting = undefined
  await rm(directory, { recursive: true, force: true })
})

/** Starts the product, and waits until it asks to be set up. */
async function begin(environment: Record<string, string> = {}): Promise<void> {
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    SETUP: 'browser',
    ...environment,
  })
  let printed = ''
  const print = (line: string) => void (printed += `${line}\n`)
  starting = serve(config, join(directory, 'client'), () => undefined, print)
  await expect.poll(() => printed).toMatch(/#token=\S+/)
  const [, url = '', token = ''] = /at (\S+)\/setup#token=(\S+)/.exec(printed) ?? []
  setup = { url, token }
}

const post = (path: string, body: object) =>
  fetch(`${setup.url}/api/setup${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: setup.token, ...body }),
  })

const send = async (file: string) =>
  fetch(`${setup.url}/api/setup/backup`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'x-setup-token': setup.token },
    body: await readFile(file),
  })

async function list(): Promise<OfferedBackup[]> {
  const { backups } = (await (await post('/backups', {})).json()) as { backups: OfferedBackup[] }
  return backups
}

const readProgress = async () => (await (await post('/progress', {})).json()) as RestoreProgress

const signIn = (username: string) =>
  fetch(`${setup.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  }).then(({ status }) => status)

describe('a first start in the browser', () => {
  it('restores a backup of the folder, and is the product with its accounts at the same address', async () => {
    const folder = join(dataDir, 'backups', backup.name)
    await mkdir(dataDir, { recursive: true })
    await cp(backup.folder, folder, { recursive: true })
    await begin(KEY)
    expect(await list()).toEqual([
      expect.objectContaining({ id: backup.name, signature: 'valid', isNewer: false }),
    ])
    expect((await post('/restore', { backup: backup.name })).status).toBe(202)
    const server = await starting!
    expect(new URL(server.url).port).toBe(new URL(setup.url).port)
    expect(await signIn('of-backup')).toBe(200)
    expect((await post('/progress', {})).status).toBe(404)
    const retailers = await server.deps.db.selectFrom('retailers').select('id').execute()
    expect(retailers).toHaveLength(3)
    expect(await readdir(dataDir)).toContainEqual(expect.stringMatching(/^replaced-/))
    expect(await readdir(dataDir)).not.toContain('setup-token')
  })

  it('takes a backup that is sent, and asks to vouch for one that it cannot check', async () => {
    await begin()
    const sent = await send(backup.archive)
    expect(await sent.json()).toMatchObject({ id: 'sent', signature: 'key-missing' })
    expect(await list()).toMatchObject([{ id: 'sent', name: backup.name }])
    await post('/restore', { backup: 'sent' })
    await expect.poll(readProgress).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(/^This backup cannot be used: it is signed with key/),
    })
    expect((await readProgress()).problem).not.toContain('--trust')
    await post('/restore', { backup: 'sent', isTrusted: true })
    await starting
    expect(await signIn('of-backup')).toBe(200)
    expect(await readdir(join(dataDir, 'backups', 'drafts'))).toEqual([])
  })

  it('says why nothing was restored, and can still be set up', async () => {
    await begin(KEY)
    const noBackup = join(directory, 'no-backup.tar')
    await writeFile(noBackup, 'no backup')
    const refused = await send(noBackup)
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { message: expect.stringContaining('This backup cannot be used') },
    ])
    const cut = join(directory, 'cut.tar')
    await cp(backup.archive, cut)
    await truncate(cut, 20_480)
    await send(cut)
    await post('/restore', { backup: 'sent' })
    await expect.poll(readProgress).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('instead of'),
    })
    expect((await post('/restore', { backup: 'stockbridge-none' })).status).toBe(404)
    expect(await readdir(dataDir)).not.toContainEqual(expect.stringMatching(/^restore/))
    expect((await post('', { username: 'operator', password: 'correct horse' })).status).toBe(201)
    await starting
    expect(await readdir(join(dataDir, 'backups', 'drafts'))).toEqual([])
  })

  it('restores nothing while another process of the product has the data open, and goes on', async () => {
    await begin(KEY)
    const other = serve(
      readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', SETUP: 'browser', ...KEY }),
      join(directory, 'client'),
      () => undefined,
    )
    await send(backup.archive)
    await expect.poll(async () => (await post('/restore', { backup: 'sent' })).status).toBe(202)
    const problem = expect.stringContaining('Other processes of the product')
    await expect
      .poll(() => readProgress().catch(() => undefined), { timeout: 20_000 })
      .toMatchObject({ state: 'failed', problem })
    await post('', { username: 'operator', password: 'correct horse' })
    await (await other).close()
  })
})
