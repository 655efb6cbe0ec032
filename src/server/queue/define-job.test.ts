import { expect, it } from 'vitest'
import { z } from 'zod'

import { currentCaller, withCaller, type Caller } from '../domain/caller'
import { createAdmin } from '../testing/fixtures/factories'
import { openTestDeps } from '../testing/stages/test-deps'
import { defineJob } from './define-job'

it('runs a job that a request has started as nobody’s doing', async () => {
  const deps = await openTestDeps()
  const callers: Caller[] = []
  const job = defineJob({
    id: 'look',
    payload: z.object({}),
    concurrency: 1,
    timeoutMs: 1_000,
    run: async () => void callers.push(currentCaller()),
  })
  const actor = await createAdmin(deps)
  await withCaller({ origin: 'web', actor, address: '203.0.113.7' }, () =>
    job.toHandler(deps).run({}, new AbortController().signal),
  )
  expect(callers).toEqual([{ origin: 'worker', actor: null, address: null }])
  await deps.close()
})
