import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { BACKUP_JOB } from '../../../../shared/constants'
import { ensureCronJobs } from '../../../features/operations/cron-jobs/cron-jobs'
import { createCronTask, untilStopped } from '../../fixtures/cron-tasks'
import { createAdmin } from '../../fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

const PATH = '/api/admin/cron-jobs'

let testApp: TestApp
let admin: Client

beforeEach(async () => {
  // A name may look like an id or need escaping in a path.
  const names = [BACKUP_JOB, '12', 'tidy up/daily']
  const cronTasks = names.map((name) =>
    createCronTask({ name, run: (_deps, { signal }) => untilStopped(signal) }),
  )
  testApp = await openTestApp({}, { cronTasks })
  await ensureCronJobs(testApp.deps)
  admin = await testApp.signIn(await createAdmin(testApp.deps))
})
afterEach(() => testApp.close())

const listNames = async () => {
  const { body } = await admin.request('GET', PATH)
  return (body as { name: string }[]).map(({ name }) => name)
}

describe('deleting a cron job', () => {
  it.each([BACKUP_JOB, '12', 'tidy up/daily'])('deletes the job named %s', async (name) => {
    const { status, body } = await admin.request('DELETE', `${PATH}/${encodeURIComponent(name)}`)
    expect([status, body]).toEqual([200, { message: 'Cron job deleted' }])
    expect(await listNames()).not.toContain(name)
  })

  it('returns 404 for a job that never existed or is already deleted', async () => {
    await admin.request('DELETE', `${PATH}/12`)
    for (const name of ['12', 'unknown', '__proto__', '%00']) {
      const { status, body } = await admin.request('DELETE', `${PATH}/${name}`)
      expect([status, body]).toEqual([404, { message: 'Cron job not found' }])
    }
    expect(await listNames()).toEqual([BACKUP_JOB, 'tidy up/daily'])
  })

  it('returns 400 for a name over the maximum length', async () => {
    const { status } = await admin.request('DELETE', `${PATH}/${'x'.repeat(101)}`)
    expect(status).toBe(400)
  })
})

describe('triggering a backup', () => {
  it('returns 202, with a different message when one is already queued', async () => {
    const trigger = () => admin.request('POST', '/api/admin/trigger-backup')
    const responses = await Promise.all([trigger(), trigger()])
    expect(responses.map(({ status }) => status)).toEqual([202, 202])
    expect(new Set(responses.map(({ text }) => text)).size).toBe(2)
  })
})
