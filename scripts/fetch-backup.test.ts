import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { listBackupFiles } from '../src/server/features/operations/backups/backups'
import { ensureCronJobs } from '../src/server/features/operations/cron-jobs/cron-jobs'
import { putApiKey } from '../src/server/testing/fixtures/api-key-samples'
import { createAdmin } from '../src/server/testing/fixtures/factories'
import { openTestApp, type TestApp } from '../src/server/testing/stages/test-app'
import { fetchBackup } from './fetch-backup'
import { openInstallation } from './installation'

let testApp: TestApp
let origin: string
let folder: string
let database: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-fetched-'))
  database = await mkdtemp(join(tmpdir(), 'stockbridge-database-'))
  testApp = await openTestApp({ databaseFile: join(database, 'app.db') })
  await ensureCronJobs(testApp.deps)
  origin = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  await testApp.close()
  await rm(folder, { recursive: true, force: true })
  await rm(database, { recursive: true })
})

async function fetchWith(scopes: ('backup' | 'read')[]) {
  const { token } = await putApiKey(testApp.deps, await createAdmin(testApp.deps), { scopes })
  // The scheduler of the test works when it is asked to.
  const working = setInterval(() => void testApp.deps.work(), 200)
  try {
    return await fetchBackup(openInstallation(origin, token), folder, () => undefined)
  } finally {
    clearInterval(working)
    await testApp.deps.queue.idle()
  }
}

it('a backup is made by a running installation, and downloaded whole', async () => {
  const { path, size } = await fetchWith(['backup', 'read'])
  const content = await readFile(path)
  expect(content).toHaveLength(size)
  expect(content.subarray(257, 262).toString()).toBe('ustar')
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^stockbridge-.*\.tar$/)])
})

it('nothing is made where the file could not be kept', async () => {
  await rm(folder, { recursive: true })
  await expect(fetchWith(['backup', 'read'])).rejects.toThrow(/is no folder that can be written to/)
  expect(await listBackupFiles(testApp.deps)).toEqual([])
})

it('without a scope nothing is made, and the missing one is named', async () => {
  await expect(fetchWith(['backup'])).rejects.toThrow(/refuses: .*read/)
  expect(await readdir(folder)).toEqual([])
})
