import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS } from '../../../../shared/durations'
import { putApiKey } from '../../../testing/fixtures/api-key-samples'
import { createSupplierUser } from '../../../testing/fixtures/factories'
import { checkAlerts } from '../../../testing/stages/check-alerts'
import { cleanUp } from '../../../testing/stages/clean-up'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { listNotifications } from '../../alerting/alerts/notifications'

let deps: TestDeps
let supplier: Awaited<ReturnType<typeof createSupplierUser>>

beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps)
})
afterEach(() => deps.close())

const put = (name: string, days: number | null) =>
  putApiKey(deps, supplier, {
    name,
    expiresAt: days === null ? null : deps.clock.now() + days * DAY_MS,
  })
const listTold = async () =>
  (await listNotifications(deps, supplier)).notifications.map(
    ({ title, text }) => `${title}. ${text}`,
  )

describe('a key that expires', () => {
  it('is told once, two weeks before', async () => {
    await put('Nightly export', 20)
    await put('Without an end', null)
    deps.clock.advance(6 * DAY_MS - 1)
    await checkAlerts(deps)
    expect(await listTold()).toEqual([])
    deps.clock.advance(1)
    await checkAlerts(deps)
    await checkAlerts(deps)
    expect(await listTold()).toEqual([
      'The API key Nightly export expires soon. It ends on 2026-02-04. Make a new one before, and give it to the program that uses it.',
    ])
  })

  it('is told together with others of its person', async () => {
    await put('Nightly export', 10)
    await put('Uploads', 3)
    await checkAlerts(deps)
    expect(await listTold()).toEqual([
      expect.stringMatching(
        /^2 API keys expire soon\. Uploads, Nightly export: the first ends on 2026-01-18\./,
      ),
    ])
  })

  it('is not told once it has expired, and is removed a month later', async () => {
    await put('Nightly export', 1)
    deps.clock.advance(2 * DAY_MS)
    await checkAlerts(deps)
    expect(await listTold()).toEqual([])
    deps.clock.advance(28 * DAY_MS)
    expect(await cleanUp(deps)).not.toContain('API key')
    deps.clock.advance(2 * DAY_MS)
    expect(await cleanUp(deps)).toContain('1 expired API key')
  })
})
