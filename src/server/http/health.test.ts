import { afterEach, beforeEach, expect, it } from 'vitest'

import { recordTick } from '../features/operations/scheduling/scheduler-ticks'
import { openTestApp, type TestApp } from '../testing/stages/test-app'

let testApp: TestApp

beforeEach(async () => {
  testApp = await openTestApp()
})
afterEach(() => testApp.close())

const ask = async (path: string) => {
  const { status, text } = await testApp.client().request('GET', path)
  return `${status} ${text}`
}

it('tells a monitor when the scheduler stands still, which does not make the web unready', async () => {
  const { deps } = testApp
  await recordTick(deps)
  deps.clock.advance(5 * 60_000)
  expect(await ask('/healthz/scheduler')).toBe('200 {"status":"ok"}')
  deps.clock.advance(1)
  expect(await ask('/healthz/scheduler')).toBe('503 {"status":"stopped"}')
  expect(await ask('/readyz')).toBe('200 {"status":"ready"}')
  await recordTick(deps)
  expect(await ask('/healthz/scheduler')).toBe('200 {"status":"ok"}')
})
